import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { accountEntry, header } from '../../test/helpers/testEntries.ts';
import { entryKeyId, type LedgerKeyId, LedgerState, storedEntry, ttlKeyHash } from './index.ts';

const NOW = 100;
const HASH = new Uint8Array(32).fill(7);
const { persistent, temporary } = xdr.ContractDataDurability;

const entryOf = (data: xdr.LedgerEntryData): xdr.LedgerEntry =>
  new xdr.LedgerEntry({ lastModifiedLedgerSeq: 0, data, ext: xdr.LedgerEntryExt.v0() });

const data = (durability: xdr.ContractDataDurability) =>
  entryOf(
    xdr.LedgerEntryData.contractData(
      new xdr.ContractDataEntry({
        ext: xdr.ExtensionPoint.v0(),
        contract: xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(HASH)),
        key: xdr.ScVal.scvU32(1),
        durability,
        val: xdr.ScVal.scvVoid(),
      }),
    ),
  );
const KINDS = {
  'persistent data': data(persistent),
  'temporary data': data(temporary),
  code: entryOf(
    xdr.LedgerEntryData.contractCode(
      new xdr.ContractCodeEntry({
        ...{ ext: xdr.ContractCodeEntryExt.v0(), hash: HASH, code: Uint8Array.of(1) },
      }),
    ),
  ),
} as const;

function put(state: LedgerState, entry: xdr.LedgerEntry, liveUntilLedgerSeq: number): LedgerKeyId {
  const id = entryKeyId(entry);
  state.put(id, entry);
  const ttl = entryOf(
    xdr.LedgerEntryData.ttl(new xdr.TtlEntry({ keyHash: ttlKeyHash(id), liveUntilLedgerSeq })),
  );
  state.put(entryKeyId(ttl), ttl);
  return id;
}

describe('An entry as clients read it', () => {
  it('has no life if its type has none', () => {
    const state = new LedgerState(header(NOW));
    const entry = accountEntry(1, 5n);
    state.put(entryKeyId(entry), entry);
    assert.deepEqual(storedEntry(state, entryKeyId(entry)), { entry, liveUntil: null });
    assert.equal(storedEntry(state, entryKeyId(accountEntry(2, 5n))), undefined);
  });

  for (const [kind, entry] of Object.entries(KINDS)) {
    it(`${kind} is live up to its last ledger`, () => {
      for (const liveUntil of [NOW, NOW + 1]) {
        const state = new LedgerState(header(NOW));
        const id = put(state, entry, liveUntil);
        assert.deepEqual(storedEntry(state, id), { entry, liveUntil });
      }
    });

    it(`${kind} that has expired ${kind === 'temporary data' ? 'is gone' : 'is archived'}`, () => {
      const state = new LedgerState(header(NOW));
      const id = put(state, entry, NOW - 1);
      const expected = kind === 'temporary data' ? undefined : { entry, liveUntil: 0 };
      assert.deepEqual(storedEntry(state, id), expected);
    });
  }

  it('is found in the archive once it was evicted', () => {
    const state = new LedgerState(header(NOW));
    const entry = KINDS['persistent data'];
    const id = entryKeyId(entry);
    assert.equal(storedEntry(state, id), undefined);
    state.archive(id, entry);
    assert.deepEqual(storedEntry(state, id), { entry, liveUntil: 0 });
    state.unarchive(id);
    assert.equal(storedEntry(state, id), undefined);
  });
});
