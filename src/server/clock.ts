/** The service's clock, so that tests can control time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds since an arbitrary moment in this process. Use it for deadlines and ages: the wall clock may jump forward or
   * back, even by days if the machine's time is set late.
   */
  elapsed(): number;
  /** Resolves after `milliseconds`; in a later turn of the event loop for 0. */
  sleep(milliseconds: number): Promise<void>;
  /** Runs `action` after `milliseconds`, unless the function it returns is called before. */
  after(milliseconds: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (milliseconds) =>
    new Promise((resolve) => {
      if (milliseconds <= 0) setImmediate(resolve);
      else setTimeout(resolve, milliseconds);
    }),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Resolves like `promise`, or to `undefined` after `ms`. The promise itself continues. */
export async function within<T>(
  promise: Promise<T>,
  ms: number,
  clock: Clock,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve(undefined));
    promise.then(resolve, reject).finally(cancel);
  });
}
