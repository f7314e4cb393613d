import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testClock } from '../../../test/support/testClock.ts';
import { createInclusionFeeEstimate } from './inclusionFeeEstimate.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('The inclusion fee that others pay', () => {
  it('is requested in the background, every ten seconds, and delays nobody', async () => {
    const clock = testClock();
    const measured = [300n, 7_000n];
    let asked = 0;
    const estimate = createInclusionFeeEstimate(async () => measured[asked++] ?? 0n, clock);
    assert.equal(estimate.stroops(), 0n);
    await turn();
    assert.equal(estimate.stroops(), 300n);
    assert.equal(asked, 1);
    clock.advance(10_001);
    assert.equal(estimate.stroops(), 300n);
    await turn();
    assert.equal(estimate.stroops(), 7_000n);
  });

  it('is kept for two minutes if the server does not answer, and is then unknown', async () => {
    const clock = testClock();
    let works = true;
    const estimate = createInclusionFeeEstimate(async () => {
      if (!works) throw new Error('no statistics');
      return 900n;
    }, clock);
    estimate.stroops();
    await turn();
    works = false;
    clock.advance(60_000);
    assert.equal(estimate.stroops(), 900n);
    await turn();
    clock.advance(60_001);
    assert.equal(estimate.stroops(), 0n);
  });
});
