import { LIKENESS_WORDS, type Likeness } from '../ranking/likeness.ts';
import { unit } from './quantized.ts';
import { rotate } from './rotation.ts';

/** Returns the likeness of an embedding. */
export const likenessOf = (vector: Float32Array): Likeness =>
  likenessOfTurned(rotate(unit(vector)));

/** @param turned at least the first 128 components of a rotated embedding, at any scale */
export function likenessOfTurned(turned: ArrayLike<number>): Likeness {
  const bits = new Uint32Array(LIKENESS_WORDS);
  for (let n = 0; n < LIKENESS_WORDS * 32; n += 1) {
    if ((turned[n] ?? 0) > 0) bits[n >> 5] = ((bits[n >> 5] ?? 0) | (1 << (n & 31))) >>> 0;
  }
  return [...bits];
}
