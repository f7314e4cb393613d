import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xdr } from '@stellar/stellar-sdk';
import { replayGenesis } from '../replay/replayLedgers.ts';
import { headerHash, sealHeader } from './sealHeader.ts';

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const first = replayGenesis([], hash(9)).header;
const open = (ledgerSeq: number) =>
  new xdr.LedgerHeader({ ...first, ledgerSeq, skipList: [1, 2, 3, 4].map(hash) });
const skips = (ledgerSeq: number): number[] =>
  sealHeader(open(ledgerSeq), hash(7)).header.skipList.map(({ value }) => value[0] ?? 0);

describe('A sealed header', () => {
  it('has the hash of the ledger’s resulting state, and a hash of its own', () => {
    const { header, hash: name } = sealHeader(open(3), hash(7));
    assert.deepEqual(header.bucketListHash.value, hash(7));
    assert.deepEqual(name, headerHash(header));
    assert.notDeepEqual(name, headerHash(open(3)));
  });
});

describe('The skip list', () => {
  it('stays unchanged in most ledgers', () => {
    assert.deepEqual(skips(49), [1, 2, 3, 4]);
    assert.deepEqual(skips(51), [1, 2, 3, 4]);
  });

  it('takes the newest hash every 50 ledgers', () => {
    assert.deepEqual(skips(50), [7, 2, 3, 4]);
    assert.deepEqual(skips(5_000), [7, 2, 3, 4]);
  });

  it('moves older hashes on after 5,000, 50,000 and 500,000 ledgers', () => {
    assert.deepEqual(skips(5_050), [7, 1, 3, 4]);
    assert.deepEqual(skips(55_050), [7, 1, 2, 4]);
    assert.deepEqual(skips(555_050), [7, 1, 2, 3]);
  });
});
