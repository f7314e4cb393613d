/** All numbers are strings except the count of ledgers. */
export interface FeeDistribution {
  readonly max: string;
  readonly min: string;
  readonly mode: string;
  readonly p10: string;
  readonly p20: string;
  readonly p30: string;
  readonly p40: string;
  readonly p50: string;
  readonly p60: string;
  readonly p70: string;
  readonly p80: string;
  readonly p90: string;
  readonly p95: string;
  readonly p99: string;
  readonly transactionCount: string;
  readonly ledgerCount: number;
}

/** Returns the distribution of fees in the form of getFeeStats, with numbers as text (stellar-rpc `internal/feewindow`). */
export function feeDistribution(fees: readonly bigint[], ledgerCount: number): FeeDistribution {
  const sorted = [...fees].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const at = (index: number): string => String(sorted[index] ?? 0n);
  // Nearest-rank method.
  const percentile = (p: number): string => at(Math.ceil((p * sorted.length) / 100) - 1);
  return {
    max: at(sorted.length - 1),
    min: at(0),
    mode: String(modeOf(sorted)),
    p10: percentile(10),
    p20: percentile(20),
    p30: percentile(30),
    p40: percentile(40),
    p50: percentile(50),
    p60: percentile(60),
    p70: percentile(70),
    p80: percentile(80),
    p90: percentile(90),
    p95: percentile(95),
    p99: percentile(99),
    transactionCount: String(sorted.length),
    ledgerCount: sorted.length === 0 ? 0 : ledgerCount,
  };
}

/** The most frequent value; the smallest if there are several. */
function modeOf(sorted: readonly bigint[]): bigint {
  let mode = 0n;
  let most = 0;
  let count = 0;
  for (const [at, fee] of sorted.entries()) {
    count = fee === sorted[at - 1] ? count + 1 : 1;
    if (count > most) {
      most = count;
      mode = fee;
    }
  }
  return mode;
}
