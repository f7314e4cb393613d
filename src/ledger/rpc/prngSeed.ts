import { randomBytes } from 'node:crypto';

const SEED_BYTES = 32;
/** Seeds taken from the system at a time: asking for one takes as long as asking for many. */
const TAKEN = 64;

let taken = Buffer.alloc(0);
let at = 0;

/** A seed of a simulation's random numbers, which no other simulation has. */
export function prngSeed(): Uint8Array {
  if (at === taken.length) {
    taken = randomBytes(TAKEN * SEED_BYTES);
    at = 0;
  }
  const seed = taken.subarray(at, at + SEED_BYTES);
  at += SEED_BYTES;
  return seed;
}
