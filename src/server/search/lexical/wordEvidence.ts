import { FIELD_BITS, impactOf } from './fieldTerms.ts';
import { TIMES } from './queryKeys.ts';
import { RARITY_STEPS } from './statistics.ts';

/** The evidence in the words that an entry shares with a query. */
export interface WordEvidence {
  /** The entry's share of the query's words, weighted by rarity: 1 if all of them are in a short description. */
  readonly coverage: number;
  /**
   * How much rarer these words are than a coincidence, in nats: 0 if an entry as rare as this is expected by chance among all.
   */
  readonly surprise: number;
}

/** The points that a word in a short description adds, for each part of its weight. */
const USUAL_IMPACT = impactOf(0, FIELD_BITS.description);
/** Points of a word of one nat in a short description. */
const POINTS_A_NAT = USUAL_IMPACT * RARITY_STEPS * TIMES;

/**
 * Interprets points as evidence. A word's weight is the logarithm of its odds, so an entry's points are the logarithm of the
 * odds of all its words together; one of N entries has ln N by chance.
 *
 * @param weight total weight of the query's words
 * @param entries total number of entries
 */
export function wordEvidence(weight: number, entries: number): (points: number) => WordEvidence {
  const whole = Math.max(1, weight * USUAL_IMPACT);
  const chance = Math.log(Math.max(1, entries));
  return (points) => ({
    coverage: points / whole,
    surprise: Math.max(0, points / POINTS_A_NAT - chance),
  });
}
