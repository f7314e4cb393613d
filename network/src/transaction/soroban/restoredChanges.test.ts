import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { entryKeyId } from '../../state/index.ts';
import { restoredChanges } from './sorobanChanges.ts';
import { ttlEntry, withLiveUntil } from './sorobanLedger.ts';

const LEDGER = 50;

const entry = (value: number, lastModifiedLedgerSeq: number): xdr.LedgerEntry =>
  new xdr.LedgerEntry({
    lastModifiedLedgerSeq,
    data: xdr.LedgerEntryData.contractData(
      new xdr.ContractDataEntry({
        ext: xdr.ExtensionPoint.v0(),
        contract: xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(new Uint8Array(32))),
        key: xdr.ScVal.scvU32(1),
        durability: xdr.ContractDataDurability.persistent,
        val: xdr.ScVal.scvU32(value),
      }),
    ),
    ext: xdr.LedgerEntryExt.v0(),
  });
const id = entryKeyId(entry(0, 0));
const told = (changes: readonly xdr.LedgerEntryChange[]): string[] =>
  changes.map((change) => {
    const kind = change.type.replace('ledgerEntry', '').toUpperCase();
    if (change.type === 'ledgerEntryRemoved') return kind;
    const { data, lastModifiedLedgerSeq } = change.value;
    const value =
      data.type === 'contractData' && data.contractData.val.type === 'scvU32'
        ? data.contractData.val.u32
        : data.type === 'ttl' && `until ${data.ttl.liveUntilLedgerSeq}`;
    return `${kind} ${value} @${lastModifiedLedgerSeq}`;
  });
const changes = (
  before: xdr.LedgerEntry | undefined,
  after: xdr.LedgerEntry | undefined,
  restored?: { entry: xdr.LedgerEntry; fromArchive: boolean },
): string[] =>
  told(
    restoredChanges(
      new Map([[id, after]]),
      () => before,
      new Map(restored === undefined ? [] : [[id, { id, ...restored }]]),
      LEDGER,
      false,
    ),
  );

describe('Changes of entries that were not restored', () => {
  it('are reported as state and end, or as created', () => {
    assert.deepEqual(changes(entry(1, 9), entry(2, LEDGER)), ['STATE 1 @9', 'UPDATED 2 @50']);
    assert.deepEqual(changes(entry(1, 9), undefined), ['STATE 1 @9', 'REMOVED']);
    assert.deepEqual(changes(undefined, entry(2, LEDGER)), ['CREATED 2 @50']);
    assert.deepEqual(changes(undefined, undefined), []);
  });
});

describe('An entry that came back from the archive', () => {
  const restored = { entry: entry(1, 9), fromArchive: true };

  it('is reported as restored, then as what was done to it', () => {
    assert.deepEqual(changes(undefined, entry(1, LEDGER), restored), ['RESTORED 1 @50']);
    assert.deepEqual(changes(undefined, entry(2, LEDGER), restored), [
      'RESTORED 1 @50',
      'UPDATED 2 @50',
    ]);
    assert.deepEqual(changes(undefined, undefined, restored), ['RESTORED 1 @50', 'REMOVED']);
  });
});

describe('An entry that had expired, and was still in the live state', () => {
  const restored = { entry: entry(1, 9), fromArchive: false };

  it('is reported as restored in place of its state', () => {
    assert.deepEqual(changes(entry(1, 9), entry(1, LEDGER), restored), ['RESTORED 1 @50']);
    assert.deepEqual(changes(entry(1, 9), entry(2, LEDGER), restored), [
      'RESTORED 1 @50',
      'UPDATED 2 @50',
    ]);
    assert.deepEqual(changes(entry(1, 9), undefined, restored), ['RESTORED 1 @50', 'REMOVED']);
  });

  it('is reported even where only its TTL changed, with the ledger that last modified it', () => {
    const list = restoredChanges(
      new Map(),
      () => entry(1, 9),
      new Map([[id, { id, ...restored }]]),
      LEDGER,
      true,
    );
    assert.deepEqual(told(list), ['RESTORED 1 @9']);
  });
});

describe('A TTL that was restored and then extended', () => {
  it('is reported as restored with its old last ledger', () => {
    const old = new xdr.LedgerEntry({
      ...ttlEntry(new Uint8Array(32), 40),
      lastModifiedLedgerSeq: 9,
    });
    const restored = { entry: withLiveUntil(old, 99), fromArchive: false };
    const after = new xdr.LedgerEntry({
      ...withLiveUntil(old, 200),
      lastModifiedLedgerSeq: LEDGER,
    });
    assert.deepEqual(changes(old, after, restored), [
      'RESTORED until 40 @50',
      'UPDATED until 200 @50',
    ]);
  });
});
