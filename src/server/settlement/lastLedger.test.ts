import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lastLedgerOf } from './settlementTransaction.ts';

const network = { ledgerSeconds: () => 5 };

function last(maxTimeoutSeconds: number, expirationLedger: number): number {
  return lastLedgerOf({ maxTimeoutSeconds }, expirationLedger, 1_000, network);
}

describe('The last ledger that may include a settlement', () => {
  it('is when maxTimeoutSeconds are over, but not before two minutes', () => {
    assert.equal(last(300, 5_000), 1_060);
    assert.equal(last(10, 5_000), 1_024);
  });

  it('is never after the authorization', () => {
    assert.equal(last(300, 1_007), 1_007);
  });

  it('M10: is at most a day away, however long the seller’s timeout is', () => {
    assert.equal(last(172_800, 4_000_000), 1_000 + 17_280);
    assert.equal(last(1e300, 4_000_000), 1_000 + 17_280);
  });
});
