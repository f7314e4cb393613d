import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Clock } from '../clock.ts';
import { StallWatch } from './stallWatch.ts';

/** A clock that stands still until it is moved; the tick that is due runs when it is asked to. */
function handClock() {
  let at = 1_000;
  let due = (): void => undefined;
  const clock: Clock = {
    now: () => at,
    elapsed: () => at,
    sleep: () => Promise.resolve(),
    after(_milliseconds, action) {
      due = action;
      return () => {
        due = () => undefined;
      };
    },
  };
  const pass = (milliseconds: number): void => {
    at += milliseconds;
  };
  return { clock, pass, tick: () => due() };
}

describe('A request that is read after a stall might have arrived during it', () => {
  it('and without one it arrives when it is read', () => {
    const { clock, pass, tick } = handClock();
    const stalls = new StallWatch(clock);
    for (let i = 0; i < 20; i++) {
      pass(150);
      tick();
    }
    assert.equal(stalls.arrivedAt(), clock.elapsed());
  });

  it('even if it is read before the first tick after the stall', () => {
    const { clock, pass, tick } = handClock();
    const stalls = new StallWatch(clock);
    pass(100);
    tick();
    const stopped = clock.elapsed();
    pass(4_000);
    assert.equal(stalls.arrivedAt(), stopped);
    tick();
    pass(300);
    assert.equal(stalls.arrivedAt(), stopped);
  });

  it('until the watch is stopped', () => {
    const { clock, pass, tick } = handClock();
    const stalls = new StallWatch(clock);
    stalls.stop();
    pass(4_000);
    tick();
    pass(600);
    // Nobody has looked since: the watch reports one long stall.
    assert.equal(stalls.arrivedAt(), clock.elapsed() - 4_600);
  });

  it('and half a second later all of them have been read', () => {
    const { clock, pass, tick } = handClock();
    const stalls = new StallWatch(clock);
    pass(4_000);
    tick();
    for (let i = 0; i < 6; i++) {
      pass(100);
      tick();
    }
    assert.equal(stalls.arrivedAt(), clock.elapsed());
  });
});
