/** Numbers of 32 bits in a likeness. */
export const LIKENESS_WORDS = 4;
/**
 * Number of bits in which two vectors may differ and still count as near-equal. A bit differs with a probability of angle/π: 13
 * of 128 bits for a cosine of 0.95, 18 for 0.9, 26 for 0.8, with a standard deviation of 3 to 5.
 */
const MAX_DIFFERENT = 20;

/**
 * The signs of the first 128 components of a rotated embedding. Two of them differ in about as many bits as the angle between
 * the embeddings, so near-equal texts are found without reading their vectors, in this process and in a database.
 */
export type Likeness = readonly number[];

/** Whether two entries say nearly the same. An entry without an embedding is like no other. */
export function areAlike(a: Likeness | null, b: Likeness | null): boolean {
  if (a === null || b === null) return false;
  let different = 0;
  for (let n = 0; n < LIKENESS_WORDS; n += 1) {
    different += bitsOf(((a[n] ?? 0) ^ (b[n] ?? 0)) >>> 0);
    if (different > MAX_DIFFERENT) return false;
  }
  return true;
}

/** Returns a likeness as text, for a database. */
export const writeLikeness = (likeness: Likeness): string =>
  Array.from(likeness, (word) => word.toString(16).padStart(8, '0')).join('');

/** Parses a likeness from a database; null if there is none. */
export function readLikeness(text: string): Likeness | null {
  if (!/^[0-9a-f]{32}$/.test(text)) return null;
  return Array.from({ length: LIKENESS_WORDS }, (_, n) =>
    Number.parseInt(text.slice(n * 8, n * 8 + 8), 16),
  );
}

/** Counts the set bits of a number of 32 bits. */
function bitsOf(word: number): number {
  let rest = word - ((word >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24) & 0x3f;
}
