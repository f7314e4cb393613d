import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CloseSchedule } from './closeSchedule.ts';
import type { CloseMode } from './ledgerClock.ts';

/** A schedule whose time and turns of the event loop the test moves. */
function scheduled(mode: CloseMode = { kind: 'demand' }) {
  let now = 0;
  let next: (() => void) | undefined;
  let closed = 0;
  const schedule = new CloseSchedule(
    mode,
    {
      now: () => now,
      after: () => () => {},
      soon(task) {
        next = task;
        return () => {
          next = undefined;
        };
      },
    },
    () => {
      closed += 1;
      schedule.closed(false);
    },
  );
  return {
    schedule,
    closed: () => closed,
    /** Lets one turn pass. Returns whether it had anything to do. */
    turn(milliseconds = 0): boolean {
      now += milliseconds;
      const task = next;
      next = undefined;
      task?.();
      return task !== undefined;
    },
  };
}

describe('On demand a ledger closes', () => {
  it('a few turns after a transaction that comes alone', () => {
    const { schedule, turn, closed } = scheduled();
    schedule.transactionWaits();
    let turns = 0;
    while (closed() === 0 && turn()) turns += 1;
    assert.equal(closed(), 1);
    assert.ok(turns <= 3);
    assert.equal(turn(), false);
  });

  it('not before those being checked are in, or after 20 milliseconds without them', () => {
    const { schedule, turn, closed } = scheduled();
    const arrived = schedule.underWay();
    schedule.transactionWaits();
    for (let turns = 0; turns < 10; turns += 1) turn();
    assert.equal(closed(), 0);
    arrived();
    while (turn());
    assert.equal(closed(), 1);
    schedule.underWay();
    schedule.transactionWaits();
    turn();
    assert.equal(closed(), 1);
    turn(21);
    assert.equal(closed(), 2);
  });

  it('once, for transactions that arrive in consecutive turns', () => {
    const { schedule, turn, closed } = scheduled();
    for (let i = 0; i < 10; i++) {
      schedule.transactionWaits();
      turn();
    }
    assert.equal(closed(), 0);
    while (turn());
    assert.equal(closed(), 1);
  });

  it('after an announced transaction has had time to arrive', () => {
    const { schedule, turn, closed } = scheduled();
    schedule.transactionWaits();
    turn();
    turn();
    schedule.arrival();
    turn();
    assert.equal(closed(), 0);
    while (turn());
    assert.equal(closed(), 1);
  });

  it('after 20 ms, however many keep arriving', () => {
    const { schedule, turn, closed } = scheduled();
    schedule.transactionWaits();
    let waited = 0;
    while (closed() === 0) {
      schedule.arrival();
      turn(1);
      waited += 1;
    }
    assert.equal(waited, 20);
  });

  it('not at all for announcements alone', () => {
    const { schedule, turn } = scheduled();
    schedule.arrival();
    assert.equal(turn(), false);
  });

  it('not once the network has stopped', () => {
    const { schedule, turn, closed } = scheduled();
    schedule.transactionWaits();
    schedule.stop();
    while (turn());
    assert.equal(closed(), 0);
  });
});

describe('At an interval, and on demand', () => {
  it('a waiting transaction closes nothing', () => {
    for (const mode of [{ kind: 'interval', milliseconds: 5_000 }, { kind: 'manual' }] as const) {
      const { schedule, turn } = scheduled(mode);
      schedule.transactionWaits();
      assert.equal(turn(), false);
    }
  });
});
