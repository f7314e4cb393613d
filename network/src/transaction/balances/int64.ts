/** The largest balance, limit or amount that the ledger can hold, in stroops. */
export const INT64_MAX = 2n ** 63n - 1n;

/** The largest 32-bit counter. */
export const UINT32_MAX = 0xffff_ffff;

/**
 * `value + delta`, or undefined if that is outside 0..`max`. A delta of zero always fits, even if `value` is already out of
 * bounds (stellar-core `util/types.cpp`, `addBalance`).
 */
export function addWithin(
  value: bigint,
  delta: bigint,
  max: bigint = INT64_MAX,
): bigint | undefined {
  if (delta === 0n) return value;
  const sum = value + delta;
  return sum < 0n || sum > max ? undefined : sum;
}
