import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PAYER, SELLER } from '../../../../test/support/payment.ts';
import { testClock } from '../../../../test/support/testClock.ts';
import { createPayerBackOff, describePause, FAILURES_LAST_MS } from './payerBackOff.ts';

const payer = { payer: PAYER.address, payTo: SELLER.address };

describe('A payer whose settlements fail on the ledger', () => {
  it('has to wait from the second failure on, each time twice as long, at most ten minutes', () => {
    const clock = testClock();
    const backOff = createPayerBackOff(clock);
    const pauses: number[] = [];
    for (let i = 0; i < 9; i++) {
      backOff.failed(payer);
      pauses.push(backOff.waitFor(payer) / 1_000);
    }
    assert.deepEqual(pauses, [0, 10, 20, 40, 80, 160, 320, 600, 600]);
    clock.advance(599_000);
    assert.equal(describePause(backOff.waitFor(payer)), 'again in 1 s');
    clock.advance(1_000);
    assert.equal(backOff.waitFor(payer), 0);
    assert.equal(backOff.isSuspect(payer), true);
  });

  it('loses its failures after an hour without another one', () => {
    const clock = testClock();
    const backOff = createPayerBackOff(clock);
    backOff.failed(payer);
    clock.advance(FAILURES_LAST_MS);
    assert.equal(backOff.isSuspect(payer), false);
    backOff.failed(payer);
    assert.equal(backOff.waitFor(payer), 0);
  });

  it('is known from the journal of other instances too', () => {
    const clock = testClock();
    const backOff = createPayerBackOff(clock);
    backOff.learn(payer, { count: 3, lastAt: clock.now() });
    assert.equal(backOff.waitFor(payer), 20_000);
    // Known failures are not counted twice.
    backOff.learn(payer, { count: 3, lastAt: clock.now() });
    assert.equal(backOff.waitFor(payer), 20_000);
  });

  it('does not wait to pay others for what one recipient made fail', () => {
    const clock = testClock();
    const backOff = createPayerBackOff(clock);
    const hostile = { ...payer, payTo: PAYER.address };
    for (let i = 0; i < 9; i++) backOff.failed(hostile);
    backOff.learn(hostile, { count: 20, lastAt: clock.now() });
    assert.equal(backOff.waitFor(hostile), 600_000);
    assert.equal(backOff.waitFor(payer), 0);
    assert.equal(backOff.isSuspect(payer), false);
  });
});
