import { DIMENSIONS } from './kernels.ts';

/**
 * Turns a vector so that no dimension counts more than another: signs from a fixed sequence, then the
 * Walsh–Hadamard transform. Lengths and cosines stay. After it a part of the dimensions tells about the
 * whole as well as any other part, and 4 bits with one step for all suit every model.
 */
export function rotate(vector: Float32Array): Float32Array {
  const turned = new Float32Array(DIMENSIONS);
  for (let n = 0; n < DIMENSIONS; n += 1) turned[n] = (vector[n] ?? 0) * (SIGNS[n] ?? 1) * SCALE;
  for (let half = 1; half < DIMENSIONS; half *= 2) {
    for (let start = 0; start < DIMENSIONS; start += half * 2) {
      for (let n = start; n < start + half; n += 1) {
        const a = turned[n] ?? 0;
        const b = turned[n + half] ?? 0;
        turned[n] = a + b;
        turned[n + half] = a - b;
      }
    }
  }
  return turned;
}

const SCALE = 1 / Math.sqrt(DIMENSIONS);
const SIGNS = signs();

function signs(): Float32Array {
  // Xorshift with a fixed seed: the same signs wherever codes are kept.
  let state = 0x9e3779b9;
  return Float32Array.from({ length: DIMENSIONS }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state < 0 ? -1 : 1;
  });
}
