import type { Clock } from '../clock.ts';

/** About two ledgers of a public network. */
const FRESH_MS = 10_000;
/** Age at which a measurement no longer counts. */
const LASTS_MS = 120_000;

export interface InclusionFeeEstimate {
  /** Returns the last measured inclusion fee of others, in stroops; 0 without a measurement. Never waits. */
  stroops(): bigint;
}

/**
 * Follows the network's fee statistics. A measurement never delays a payment: it runs in the background,
 * and the last value is used until it is done.
 */
export function createInclusionFeeEstimate(
  measure: () => Promise<bigint>,
  clock: Clock,
): InclusionFeeEstimate {
  let value = 0n;
  let askedAt = Number.NEGATIVE_INFINITY;
  let measuredAt = Number.NEGATIVE_INFINITY;
  return {
    stroops() {
      const now = clock.now();
      if (now - askedAt > FRESH_MS) {
        askedAt = now;
        measure().then(
          (measured) => {
            value = measured;
            measuredAt = now;
          },
          // The server has no statistics or does not answer, so the last value is used for a while.
          () => undefined,
        );
      }
      return now - measuredAt > LASTS_MS ? 0n : value;
    },
  };
}
