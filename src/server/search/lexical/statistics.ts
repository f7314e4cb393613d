/** Resolution of a term's rarity: so many parts are one nat, the unit of natural logarithms. */
export const RARITY_STEPS = 64;

/**
 * Returns a term's rarity (BM25's inverse document frequency) as a whole number, so that every index
 * computes the same scores in any order of addition.
 *
 * @param having entries that have the term
 * @param all entries there are
 */
export function rarity(having: number, all: number): number {
  const others = Math.max(0, all - having);
  return Math.max(1, Math.round(Math.log(1 + (others + 0.5) / (having + 0.5)) * RARITY_STEPS));
}

/** Parts of an epoch's size that have to be added before the next one begins. */
const EPOCHS_A_DOUBLING = 8;

/**
 * The listing whose day's statistics a ranking uses: that of `asOf`, or a little before. Frozen while
 * the catalog grows by less than an eighth, and known from `asOf` alone: the pages of one cursor, also on
 * another instance and after a restart, see the same statistics.
 */
export function epochOf(asOf: number): number {
  const step = 2 ** Math.floor(Math.log2(Math.max(1, asOf) / EPOCHS_A_DOUBLING));
  return step <= 1 ? asOf : Math.floor(asOf / step) * step;
}
