import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { putTestContract } from '../../test/helpers/testContracts.ts';
import { TestNetwork } from '../../test/helpers/testNetwork.ts';
import { entryXdr, type LedgerKeyId, ttlKeyId } from '../state/index.ts';
import { ContractState } from './contractState.ts';

const PROTOCOL = 27;
const CONTRACT = xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(new Uint8Array(32)));

const data = (key: number, bytes = 10) =>
  xdr.LedgerEntryData.contractData(
    new xdr.ContractDataEntry({
      ext: xdr.ExtensionPoint.v0(),
      contract: CONTRACT,
      key: xdr.ScVal.scvU32(key),
      durability: xdr.ContractDataDurability.persistent,
      val: xdr.ScVal.scvBytes(new Uint8Array(bytes)),
    }),
  );

/** A ledger with entries of a contract, each with the last ledger of its life. */
async function networkWith(lives: readonly number[]) {
  const network = await TestNetwork.open({ protocol: PROTOCOL });
  const ids = lives.map((live, key) => network.putContract(data(key), live));
  return { network, ids, contracts: new ContractState(network.state) };
}

const expiredIn = (contracts: ContractState, ledgerSeq: number): readonly LedgerKeyId[] =>
  [...contracts.expired(ledgerSeq)].map(({ entryId }) => entryId);

describe('Entries that have expired', () => {
  it('are those whose last ledger is before the given one, the first to expire first', async () => {
    const { ids, contracts } = await networkWith([30, 10, 20]);
    const [latest, first, second] = ids;
    assert.deepEqual(expiredIn(contracts, 10), []);
    assert.deepEqual(expiredIn(contracts, 11), [first]);
    assert.deepEqual(expiredIn(contracts, 30), [first, second]);
    assert.deepEqual(expiredIn(contracts, 31), [first, second, latest]);
  });

  it('of the same ledger come in the order of their keys', async () => {
    const { ids, contracts } = await networkWith(Array(12).fill(10));
    const byTtl = [...ids].sort((a, b) => (ttlKeyId(a) < ttlKeyId(b) ? -1 : 1));
    assert.deepEqual(expiredIn(contracts, 11), byTtl);
  });

  it('are not those that were removed or live longer now', async () => {
    const { network, ids, contracts } = await networkWith([10, 10, 10]);
    const [removed, extended, expired] = ids;
    assert.ok(removed && extended, 'three entries');
    const ttlOf = (id: LedgerKeyId) => network.state.peek(ttlKeyId(id));
    const [gone, ttl, longer] = [network.state.peek(removed), ttlOf(extended), ttlOf(extended)];
    const later = new xdr.LedgerEntry({
      ...{ lastModifiedLedgerSeq: 2, ext: xdr.LedgerEntryExt.v0() },
      data: xdr.LedgerEntryData.ttl(
        new xdr.TtlEntry({
          keyHash: longer?.data.type === 'ttl' ? longer.data.ttl.keyHash : new Uint8Array(32),
          liveUntilLedgerSeq: 11,
        }),
      ),
    });
    contracts.absorb([
      { id: removed, before: gone, after: undefined },
      { id: ttlKeyId(removed), before: ttlOf(removed), after: undefined },
      { id: ttlKeyId(extended), before: ttl, after: later },
    ]);
    assert.deepEqual(expiredIn(contracts, 11), [expired]);
    assert.deepEqual(expiredIn(contracts, 12), [expired, extended]);
  });
});

describe('The size of the state', () => {
  it('is the bytes of all contract data, and changes with them', async () => {
    const { network, ids, contracts } = await networkWith([10, 20]);
    const host = await network.engine.host;
    const sizeOf = (entry: xdr.LedgerEntry) => BigInt(entryXdr(entry).length);
    const [first, second] = ids.map((id) => network.state.peek(id));
    assert.ok(first && second && ids[0], 'two entries');
    assert.equal(contracts.size(network.state, host), sizeOf(first) + sizeOf(second));
    contracts.absorb([{ id: ids[0], before: first, after: undefined }]);
    assert.equal(contracts.size(network.state, host), sizeOf(second));
  });

  it('includes contract code as rent counts it, measured again once it was forgotten', async () => {
    const { network } = await networkWith([]);
    putTestContract(network, PROTOCOL, 1_000);
    const { contracts, host } = network.engine;
    const measured = network.engine.stateSize(network.state);
    const [code] = contracts.codeIds;
    assert.ok(code, 'the code of the contract');
    assert.equal(contracts.hasCode(code), true);
    const entry = network.state.peek(code);
    assert.ok(entry, 'its entry');
    assert.equal(measured > BigInt(entryXdr(entry).length), true);
    contracts.forgetCodeSizes();
    assert.equal(contracts.size(network.state, host), measured);
    contracts.absorb([{ id: code, before: entry, after: undefined }]);
    assert.equal(contracts.hasCode(code), false);
    assert.equal(contracts.size(network.state, host) < measured, true);
  });
});
