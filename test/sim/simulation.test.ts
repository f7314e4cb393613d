import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { simulate } from './simulate.ts';

/** Seeds of the quick suites; `npm run lab -- sim` tries thousands. */
const SEEDS = Array.from({ length: 24 }, (_, index) => index + 1);

describe('A facilitator that crashes, on a network that loses and delays messages, reports true outcomes', () => {
  let settled = 0;
  let crashes = 0;

  for (const seed of SEEDS) {
    it(`seed ${seed}: no answer contradicts the ledger, nothing is paid twice or lost`, async () => {
      const result = await simulate(seed);
      assert.equal(result.fault, undefined, result.trace.join('\n'));
      settled += result.settled;
      crashes += result.crashes;
    });
  }

  it('in these seeds payments settle, and facilitators crash', () => {
    assert.ok(settled > SEEDS.length, `${settled} settled`);
    assert.ok(crashes > SEEDS.length / 2, `${crashes} crashes`);
  });
});
