import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fuzz } from './fuzzRun.ts';

describe('Mutated bodies', () => {
  it('never get a 5xx, an unhandled rejection or an answer of another form', async () => {
    const { bodies, outcomes } = await fuzz(1_000, 42);
    assert.ok(bodies >= 1_000);
    // The run went deep: into simulation, into settlements, and into the parsers.
    for (const outcome of ['invalid_request', 'payload_malformed', 'fee_below_minimum']) {
      assert.ok((outcomes[outcome] ?? 0) > 0, outcome);
    }
  });
});
