import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isDeeperThan } from './readPaymentRequest.ts';

/** How deep arrays and objects of a parsed value are nested. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('The depth of a JSON text', () => {
  it('is the same in the text as in the value, whatever strings contain', () => {
    const strings = fc.oneof(fc.string(), fc.constantFrom('[[', '"', '\\', '\\"{', '}]'));
    const value = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'large' }, strings, fc.integer(), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 3 }),
      object: fc.dictionary(strings, tie('value'), { maxKeys: 3 }),
    })).value;
    fc.assert(
      fc.property(value, fc.nat({ max: 12 }), (one, limit) => {
        assert.equal(isDeeperThan(JSON.stringify(one), limit), depthOf(one) > limit);
      }),
      { numRuns: 500 },
    );
  });

  it('is defined even for text that is not JSON', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        assert.equal(typeof isDeeperThan(text, 5), 'boolean');
      }),
    );
    assert.equal(isDeeperThan('['.repeat(100_000), 64), true);
    assert.equal(isDeeperThan('"'.concat('['.repeat(100_000)), 64), false);
  });
});
