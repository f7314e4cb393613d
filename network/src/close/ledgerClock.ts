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

/**
 * When ledgers close.
 *  - `demand`: as soon as a transaction is waiting; otherwise every five seconds, as on testnet.
 *  - `interval`: at a fixed interval, whether or not transactions are waiting.
 *  - `manual`: only on request.
 */
export type CloseMode =
  | { readonly kind: 'demand' }
  | { readonly kind: 'interval'; readonly milliseconds: number }
  | { readonly kind: 'manual' };

/** The time between ledgers on testnet, and between idle ledgers here. */
export const LEDGER_TARGET_MILLISECONDS = 5_000;

/**
 * What the time bounds of transactions are compared with.
 *  - `network`: the close time of ledgers, as on every Stellar network.
 *  - `clock`: this machine's clock, from which clients compute their bounds, even if the network's time was moved ahead of it.
 */
export type TimeBoundsReading = 'network' | 'clock';
