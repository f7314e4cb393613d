import { randomBytes } from 'node:crypto';

const SEED_BYTES = 32;
/** Number of seeds requested from the system at once, because one takes as long as many. */
const TAKEN = 64;

let taken = Buffer.alloc(0);
let at = 0;

/** A seed for a simulation's random numbers, different for each simulation. */
export function prngSeed(): Uint8Array {
  if (at === taken.length) {
    taken = randomBytes(TAKEN * SEED_BYTES);
    at = 0;
  }
  const seed = taken.subarray(at, at + SEED_BYTES);
  at += SEED_BYTES;
  return seed;
}
