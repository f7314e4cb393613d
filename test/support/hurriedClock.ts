import { type Clock, systemClock } from '../../src/server/index.ts';

export interface HurriedClock extends Clock {
  /** The requested milliseconds of every pause that was cut short. */
  readonly hurried: number[];
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
  return {
    ...systemClock,
    hurried,
    sleep(milliseconds) {
      if (milliseconds < from) return systemClock.sleep(milliseconds);
      hurried.push(milliseconds);
      return systemClock.sleep(shortened(milliseconds));
    },
  };
}
