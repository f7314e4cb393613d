/** The network's source of time, so that tests can control it. */
export interface LedgerClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs `task` after `milliseconds`. Does not keep the process alive. Returns a function that cancels it. */
  after(milliseconds: number, task: () => void): () => void;
  /** Runs `task` once everything that has already arrived is handled. Returns a function that cancels it. */
  soon(task: () => void): () => void;
}

export const systemLedgerClock: LedgerClock = {
  now: () => Date.now(),
  after: (milliseconds, task) => {
    const timer = setTimeout(task, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
  soon: (task) => {
    const immediate = setImmediate(task);
    return () => clearImmediate(immediate);
  },
};
