/** Resolution of a term's rarity: this many parts are one nat, the unit of natural logarithms. */
export const RARITY_STEPS = 64;

/**
 * Returns a term's rarity (BM25's inverse document frequency) as a whole number, so that every index computes the same scores
 * in any order of addition.
 *
 * @param having number of entries with the term
 * @param all total number of entries
 */
export function rarity(having: number, all: number): number {
  const others = Math.max(0, all - having);
  return Math.max(1, Math.round(Math.log(1 + (others + 0.5) / (having + 0.5)) * RARITY_STEPS));
}

/** The next epoch begins when one of this many parts of the current one's size was added. */
const EPOCHS_A_DOUBLING = 8;

/**
 * Returns the listing at which the statistics of a ranking are taken: `asOf`, or a little before. It is fixed while the catalog
 * grows by less than an eighth, and follows from `asOf` alone, so the pages of one cursor use the same statistics, even on
 * another instance or after a restart.
 */
export function epochOf(asOf: number): number {
  const step = 2 ** Math.floor(Math.log2(Math.max(1, asOf) / EPOCHS_A_DOUBLING));
  return step <= 1 ? asOf : Math.floor(asOf / step) * step;
}
