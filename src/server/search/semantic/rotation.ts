import { DIMENSIONS } from './kernels.ts';

/** After one round, regular patterns remain; after two they are spread over all dimensions. */
const ROUNDS = 2;
const SCALE = 1 / Math.sqrt(DIMENSIONS);
const SIGNS = signs();

/**
 * Rotates a vector so that no dimension counts more than another: signs from a fixed sequence and the Walsh–Hadamard transform,
 * twice. Lengths and cosines stay the same. After that, any subset of the dimensions represents the whole equally well, and 4
 * bits with one common step work for every model.
 */
export function rotate(vector: Float32Array): Float32Array {
  const turned = Float32Array.from(vector);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let n = 0; n < DIMENSIONS; n += 1) {
      turned[n] = (turned[n] ?? 0) * (SIGNS[round * DIMENSIONS + n] ?? 1);
    }
    walshHadamard(turned);
  }
  return turned;
}

function walshHadamard(vector: Float32Array): void {
  for (let half = 1; half < DIMENSIONS; half *= 2) {
    for (let start = 0; start < DIMENSIONS; start += half * 2) {
      for (let n = start; n < start + half; n += 1) {
        const a = vector[n] ?? 0;
        const b = vector[n + half] ?? 0;
        vector[n] = a + b;
        vector[n + half] = a - b;
      }
    }
  }
  for (let n = 0; n < DIMENSIONS; n += 1) vector[n] = (vector[n] ?? 0) * SCALE;
}

function signs(): Float32Array {
  // Xorshift with a fixed seed: the same signs in every process.
  let state = 0x9e3779b9;
  return Float32Array.from({ length: DIMENSIONS * ROUNDS }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state < 0 ? -1 : 1;
  });
}
