import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeHighBid } from './describeHighBid.ts';

describe('A bid above the ceiling', () => {
  it('is stated with the ceiling, in stroops', () => {
    const words = describeHighBid({ bid: 500_001n, ceiling: 500_000n, archived: 0 });
    assert.equal(words, '500001 bid, ceiling 500000 stroops');
  });

  it('names the archived entries that it would restore, and who restores them', () => {
    const words = describeHighBid({ bid: 9n, ceiling: 8n, archived: 2 });
    assert.equal(
      words,
      '9 bid, ceiling 8 stroops, including the restoration of archived ledger entries (2): ' +
        "a policy's gateway restores the policy's entries",
    );
  });
});
