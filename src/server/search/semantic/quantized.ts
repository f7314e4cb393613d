import { DIMENSIONS, HEAD_DIMENSIONS, QUERY_LIMIT } from './kernels.ts';

/**
 * The step of the coarse code for components of a rotated unit vector: of all steps it loses least when a normal distribution
 * is cut into 16 levels.
 */
export const COARSE_STEP = 0.335 / Math.sqrt(DIMENSIONS);
const MIDDLE = 7.5;
const FINE_LIMIT = 32_767;

export function lengthOf(vector: Float32Array): number {
  let square = 0;
  for (let n = 0; n < vector.length; n += 1) square += (vector[n] ?? 0) ** 2;
  return Math.sqrt(square);
}

/** Returns a vector scaled to length one; a zero vector if it cannot be scaled or is not finite. */
export function unit(vector: Float32Array): Float32Array {
  const length = lengthOf(vector);
  const scale = length > 0 && Number.isFinite(length) ? 1 / length : 0;
  return scale === 0 ? new Float32Array(vector.length) : vector.map((part) => part * scale);
}

/**
 * Writes the coarse code of a rotated unit vector: 4 bits per dimension in the order that the kernels read, the first
 * dimensions into `head` and the others into `tail`. A component is about (code − 7.5) × `COARSE_STEP`.
 */
export function writeCoarse(vector: Float32Array, head: Uint8Array, tail: Uint8Array): void {
  writePart(vector, 0, HEAD_DIMENSIONS, head);
  writePart(vector, HEAD_DIMENSIONS, DIMENSIONS, tail);
}

function writePart(vector: Float32Array, from: number, end: number, bytes: Uint8Array): void {
  bytes.fill(0);
  for (let n = from; n < end; n += 1) {
    const nearest = Math.floor((vector[n] ?? 0) / COARSE_STEP + MIDDLE + 0.5);
    const code = Math.max(0, Math.min(nearest, 15));
    // Block of 32 dimensions, then lane of 16 bits, then component of the lane.
    const part = (n >> 3) & 3;
    const at = ((n - from) >> 5) * 16 + (n & 7) * 2 + (part >> 1);
    bytes[at] = (bytes[at] ?? 0) | (code << ((part & 1) * 4));
  }
}

/** The query for the coarse kernels, and the conversion of their sums to cosines. */
export interface CoarseQuery {
  readonly parts: Int16Array;
  /** cosine ≈ (sum − offset) × scale, for the head's dimensions and for the tail's. */
  readonly headOffset: number;
  readonly tailOffset: number;
  readonly scale: number;
}

export function coarseQuery(vector: Float32Array): CoarseQuery {
  const step = largestOf(vector) / QUERY_LIMIT || 1;
  const parts = Int16Array.from(vector, (part) => Math.round(part / step));
  const offset = (of: Int16Array) => MIDDLE * of.reduce((sum, part) => sum + part, 0);
  return {
    parts,
    headOffset: offset(parts.subarray(0, HEAD_DIMENSIONS)),
    tailOffset: offset(parts.subarray(HEAD_DIMENSIONS)),
    scale: step * COARSE_STEP,
  };
}

/** Writes a vector with 16 bits per dimension, and returns the size of one step. */
export function writeFine(vector: Float32Array, parts: Int16Array): number {
  const step = largestOf(vector) / FINE_LIMIT || 1;
  for (let n = 0; n < DIMENSIONS; n += 1) parts[n] = Math.round((vector[n] ?? 0) / step);
  return step;
}

function largestOf(vector: Float32Array): number {
  let largest = 0;
  for (let n = 0; n < vector.length; n += 1) {
    const size = Math.abs(vector[n] ?? 0);
    if (size > largest) largest = size;
  }
  return largest;
}
