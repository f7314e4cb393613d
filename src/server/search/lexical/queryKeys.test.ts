import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { queryKeys, weighed } from './queryKeys.ts';
import { rarity } from './statistics.ts';

describe('The keys that a query looks up', () => {
  it('are its terms, each once, and count twice', () => {
    assert.deepEqual(queryKeys('axolotl pictures of an axolotl').slice(0, 1), [
      { key: 'axolotl', times: 2 },
    ]);
    assert.equal(queryKeys('axolotl axolotl').length, 1);
  });

  it('of a synonym group are the term and the group, so that another word of the group counts half', () => {
    const [term, group, ...others] = queryKeys('weather');
    assert.deepEqual(term, { key: 'weather', times: 1 });
    assert.equal(group?.times, 1);
    assert.deepEqual(others, []);
    assert.deepEqual(queryKeys('forecast')[1], group);
  });

  it('are taken from the first 256 terms of a long text', () => {
    const words = Array.from({ length: 300 }, (_, n) => `w${n}q`);
    const keys = queryKeys(words.join(' ')).map(({ key }) => key);
    assert.equal(keys.length, 256);
    assert.equal(keys.at(-1), 'w255q');
  });
});

describe('The weight of a key', () => {
  const times = 2 as const;
  const key = (n: number) => ({ key: `k${String(n).padStart(2, '0')}`, times });

  it('is its rarity, as often as it counts', () => {
    const { keys, weight } = weighed(
      [
        { key: 'a', times: 2 },
        { key: 'b', times: 1 },
      ],
      () => 10,
      5,
    );
    assert.deepEqual(keys, [
      { key: 'a', weight: 20 },
      { key: 'b', weight: 10 },
    ]);
    assert.equal(weight, 30);
  });

  it('of a word that no entry has is that of the rarest, and it is not looked up', () => {
    const { keys, weight } = weighed([key(1), key(2)], (one) => (one === 'k01' ? 10 : null), 1_000);
    assert.deepEqual(keys, [{ key: 'k01', weight: 20 }]);
    assert.equal(weight, 20 + 2 * rarity(0, 1_000));
  });

  it('decides which 24 keys of a long text are looked up, and makes up its whole weight', () => {
    const all = Array.from({ length: 30 }, (_, n) => key(n));
    // The more rare, the later.
    const { keys, weight } = weighed(all, (one) => 1 + Number(one.slice(1)), 1_000);
    assert.deepEqual(
      keys.map((one) => one.key),
      all
        .slice(6)
        .reverse()
        .map((one) => one.key),
    );
    assert.equal(
      weight,
      keys.reduce((sum, one) => sum + one.weight, 0),
    );
  });

  it('and equal weights are ordered by key, so that the cut is the same everywhere', () => {
    const all = Array.from({ length: 30 }, (_, n) => key(29 - n));
    const { keys } = weighed(all, () => 5, 1_000);
    assert.deepEqual(
      keys.map((one) => one.key),
      Array.from({ length: 24 }, (_, n) => key(n).key),
    );
  });

  it('is looked up for all keys if there are 24 or fewer, in the order of the query', () => {
    const all = Array.from({ length: 24 }, (_, n) => key(23 - n));
    const { keys } = weighed(all, (one) => 1 + Number(one.slice(1)), 1_000);
    assert.deepEqual(
      keys.map((one) => one.key),
      all.map((one) => one.key),
    );
    const ascending = weighed(all.toReversed(), (one) => 1 + Number(one.slice(1)), 1_000);
    assert.equal(ascending.keys[0]?.key, 'k00');
  });
});
