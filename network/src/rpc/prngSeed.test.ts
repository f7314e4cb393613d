import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prngSeed } from './simulation.ts';

describe('The seed of a simulation', () => {
  it('is of 32 bytes, and no other simulation has it', () => {
    const seeds = Array.from({ length: 200 }, prngSeed);
    assert.ok(seeds.every(({ length }) => length === 32));
    assert.equal(new Set(seeds.map((seed) => Buffer.from(seed).toString('hex'))).size, 200);
  });
});
