import type { Clock } from '../../src/server/index.ts';

export interface TestClock extends Clock {
  /** Every pause asked for, in milliseconds. */
  readonly slept: number[];
  /** Moves time on and runs what was due. */
  advance(milliseconds: number): void;
}

/** A clock that stands still until it is moved; a pause moves it at once. */
export function testClock(start = 1_000_000): TestClock {
  let now = start;
  const slept: number[] = [];
  const due = new Set<{ at: number; action: () => void }>();
  function advance(milliseconds: number): void {
    now += milliseconds;
    for (const timer of [...due].sort((a, b) => a.at - b.at)) {
      if (timer.at <= now && due.delete(timer)) timer.action();
    }
  }
  return {
    slept,
    advance,
    now: () => now,
    elapsed: () => now,
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      advance(milliseconds);
      await new Promise((resolve) => setImmediate(resolve));
    },
    after(milliseconds, action) {
      const timer = { at: now + milliseconds, action };
      due.add(timer);
      return () => {
        due.delete(timer);
      };
    },
  };
}
