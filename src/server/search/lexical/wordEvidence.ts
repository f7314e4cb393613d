import { FIELD_BITS, impactOf } from './fieldTerms.ts';
import { TIMES } from './queryKeys.ts';
import { RARITY_STEPS } from './statistics.ts';

/** What the words that an entry shares with a query say about it. */
export interface WordEvidence {
  /** The share of the query's words, by their rarity, that it has: 1 with all of them in a short description. */
  readonly coverage: number;
  /**
   * How much rarer that many words are than a coincidence, in nats: 0 where as rare an entry is expected by
   * chance among all.
   */
  readonly surprise: number;
}

/** What a word in a short description adds to the points, for each part of its weight. */
const USUAL_IMPACT = impactOf(0, FIELD_BITS.description);
/** Points of a word of one nat in a short description. */
const POINTS_A_NAT = USUAL_IMPACT * RARITY_STEPS * TIMES;

/**
 * Reads points as evidence. A word's weight is the logarithm of its odds, so an entry's points are those of
 * all its words together; one of N entries has ln N by chance.
 *
 * @param weight of all the query's words
 * @param entries entries there are
 */
export function wordEvidence(weight: number, entries: number): (points: number) => WordEvidence {
  const whole = Math.max(1, weight * USUAL_IMPACT);
  const chance = Math.log(Math.max(1, entries));
  return (points) => ({
    coverage: points / whole,
    surprise: Math.max(0, points / POINTS_A_NAT - chance),
  });
}
