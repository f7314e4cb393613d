/** Delays between attempts, which grow until something works for a while. */
export interface BackOff {
  /** Milliseconds to wait before the next attempt. */
  next(): number;
  /** Called when an attempt succeeded. */
  succeeded(): void;
}

/** @param random from 0 to 1; spreads out windows that wait for the same thing */
export function createBackOff(
  firstMs: number,
  mostMs: number,
  random: () => number = Math.random,
): BackOff {
  let failures = 0;
  return {
    next() {
      const delay = Math.min(firstMs * 2 ** failures, mostMs);
      failures += 1;
      return Math.round(delay * (0.75 + random() / 2));
    },
    succeeded() {
      failures = 0;
    },
  };
}
