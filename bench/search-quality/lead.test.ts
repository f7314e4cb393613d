import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { leads } from './lead.ts';

/** A query whose only answer is `wanted`, and rankings in which each stage puts it at a place, from 0. */
const asked = (wanted: string, kind = 'query') => ({
  query: `find ${wanted}`,
  kinds: [kind],
  grades: { [wanted]: 1 },
});
const at = (place: number, wanted: string) => [
  ...Array.from({ length: place }, (_, n) => `other ${n}`),
  wanted,
];

describe('The lead of the fused ranking over its better stage', () => {
  it('is the difference of their means, for each kind', () => {
    const found = leads([asked('a', 'one'), asked('b', 'two')], {
      lexical: [at(1, 'a'), at(0, 'b')],
      semantic: [at(9, 'a'), at(20, 'b')],
      fused: [at(0, 'a'), at(1, 'b')],
    });
    const second = 1 / Math.log2(3);
    assert.equal(found['one']?.stage, 'lexical');
    assert.equal(found['one']?.difference, 1 - second);
    assert.equal(found['two']?.difference, second - 1);
  });

  it('has an interval of the difference itself, if all queries have the same', () => {
    const wanted = ['a', 'b', 'c', 'd'];
    const found = leads(
      wanted.map((one) => asked(one)),
      {
        lexical: wanted.map((one) => at(20, one)),
        semantic: wanted.map((one) => at(1, one)),
        fused: wanted.map((one) => at(0, one)),
      },
    )['query'];
    assert.equal(found?.stage, 'semantic');
    assert.equal(found?.low, found?.high);
    assert.equal(Math.abs((found?.low ?? 0) - (found?.difference ?? 1)) < 1e-9, true);
  });

  it('counts queries for one entry as one observation', () => {
    // 20 requests: fused is better for all that ask for `a`, and worse for all that ask for `b`.
    const wanted = Array.from({ length: 20 }, (_, n) => (n < 10 ? 'a' : 'b'));
    const apart = wanted.map((_, n) => `entry ${n}`);
    const rankings = (of: readonly string[]) => ({
      lexical: of.map((one) => at(1, one)),
      semantic: of.map((one) => at(20, one)),
      fused: of.map((one, n) => at(n < 10 ? 0 : 9, one)),
    });
    const together = leads(
      wanted.map((one) => asked(one)),
      rankings(wanted),
    )['query'];
    const alone = leads(
      apart.map((one) => asked(one)),
      rankings(apart),
    )['query'];
    const width = (lead: typeof together) => (lead?.high ?? 0) - (lead?.low ?? 0);
    assert.equal(width(together) > 2 * width(alone), true);
  });
});
