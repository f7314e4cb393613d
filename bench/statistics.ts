export interface Statistics {
  readonly median: number;
  /** Tenth and ninetieth percentile. */
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

/** Median and spread of a series of measurements; at least one is needed. */
export function statistics(measured: readonly number[]): Statistics {
  const sorted = [...measured].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { median: at(0.5), low: at(0.1), high: at(0.9), count: sorted.length };
}
