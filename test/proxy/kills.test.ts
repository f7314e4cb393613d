import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runKills } from './kills/runKills.ts';

describe('A proxy under load whose own process, facilitator and upstream are killed', () => {
  it('takes money for what it delivers, once, and for nothing else', {
    timeout: 120_000,
  }, async () => {
    const report = await runKills({
      ...{ sales: 24, buyers: 4, settle: 'after', everyMs: 700, seed: 1, say: () => {} },
    });
    assert.deepEqual(report.contradictions, []);
    assert.equal(report.open, 0);
    assert.deepEqual(report.manners, { x402: 12, mpp: 9, double: 3 });
    const { proxy, facilitator, upstream } = report.kills;
    assert.ok(proxy + facilitator + upstream > 0, JSON.stringify(report));
  });
});
