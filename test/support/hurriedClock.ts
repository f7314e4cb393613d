import { type Clock, systemClock } from '../../src/server/index.ts';

export interface HurriedClock extends Clock {
  /** The requested milliseconds of every pause that was cut short. */
  readonly hurried: number[];
  /** Lets so many milliseconds pass at once, for deadlines and ages: a test need not wait for one, nor bound another. */
  skip(milliseconds: number): void;
}

/**
 * Returns the system's clock with long pauses cut short, for tests that are not about their length.
 *
 * @param from milliseconds from which a pause is long
 * @param shortened how long it takes instead
 */
export function hurriedClock(
  from = 500,
  shortened: (milliseconds: number) => number = () => 1,
): HurriedClock {
  const hurried: number[] = [];
  let skipped = 0;
  return {
    ...systemClock,
    hurried,
    skip(milliseconds) {
      skipped += milliseconds;
    },
    elapsed: () => systemClock.elapsed() + skipped,
    sleep(milliseconds) {
      if (milliseconds < from) return systemClock.sleep(milliseconds);
      hurried.push(milliseconds);
      return systemClock.sleep(shortened(milliseconds));
    },
  };
}
