import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { FoundEntry } from '../searchIndex.ts';
import { Best } from './best.ts';
import { fuse } from './fuse.ts';

const entry = (sequence: number, popularity = 0, score = 1): FoundEntry => ({
  id: `e${sequence}`,
  sequence,
  popularity,
  score,
});

const rankings = fc.uniqueArray(fc.nat({ max: 400 }), { maxLength: 60 }).chain((all) =>
  fc.tuple(fc.shuffledSubarray(all), fc.shuffledSubarray(all)).map(([a, b]) => ({
    lexical: a.map((n) => entry(n, n % 3)),
    vector: b.map((n) => entry(n, n % 3)),
  })),
);

describe('Both stages are fused by reciprocal ranks', () => {
  it('[spec: GET /discovery/search/Fusion] score = 1/(60 + lexical rank) + 1/(60 + vector rank)', () => {
    const fused = fuse([entry(1, 0, 9), entry(2, 0, 4)], [entry(2), entry(3)]);
    assert.deepEqual(
      fused.map(({ entry: { id }, score, lexicalRank, vectorRank }) => ({
        id,
        score,
        lexicalRank,
        vectorRank,
      })),
      [
        { id: 'e2', score: 1 / 62 + 1 / 61, lexicalRank: 2, vectorRank: 1 },
        { id: 'e1', score: 1 / 61, lexicalRank: 1, vectorRank: null },
        { id: 'e3', score: 1 / 62, lexicalRank: null, vectorRank: 2 },
      ],
    );
  });

  it('[spec: GET /discovery/search/Ties] ties are broken by settlements × 2 + unique payers, then by age', () => {
    const ids = (...lexical: FoundEntry[]) => fuse(lexical, []).map(({ entry: { id } }) => id);
    assert.deepEqual(ids(entry(1, 4), entry(2, 5)), ['e2', 'e1']);
    assert.deepEqual(ids(entry(1, 5), entry(2, 5)), ['e1', 'e2']);
    assert.deepEqual(ids(entry(2, 5), entry(1, 5)), ['e1', 'e2']);
  });

  it('nearness decides before payments, among entries that are as good by words', () => {
    const ids = (lexical: FoundEntry[], vector: FoundEntry[]) =>
      fuse(lexical, vector).map(({ entry: { id } }) => id);
    const paid = entry(1, 1_000);
    const near = entry(2);
    assert.deepEqual(ids([paid, near], [near, paid]), ['e2', 'e1']);
    assert.deepEqual(ids([paid, near], [near]), ['e2', 'e1']);
    const better = entry(3, 0, 2.5);
    assert.deepEqual(ids([better, paid, near], [better, near]), ['e3', 'e2', 'e1']);
  });

  it('ranks every entry that a stage found once, in falling score', () => {
    fc.assert(
      fc.property(rankings, ({ lexical, vector }) => {
        const fused = fuse(lexical, vector);
        const found = new Set([...lexical, ...vector].map(({ id }) => id));
        assert.deepEqual(new Set(fused.map(({ entry: { id } }) => id)), found);
        assert.equal(fused.length, found.size);
        for (const [n, { score }] of fused.entries()) {
          assert.ok(n === 0 || score <= (fused[n - 1]?.score ?? 0));
        }
      }),
    );
  });
});

describe('The best of many candidates', () => {
  it('are those that sorting all of them gives', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer(), { maxLength: 200 }),
        fc.integer({ min: 0, max: 50 }),
        (numbers, count) => {
          const best = new Best(count, (a, b) => a > b);
          for (const number of numbers) best.offer(number);
          assert.deepEqual(best.sorted(), [...numbers].sort((a, b) => b - a).slice(0, count));
        },
      ),
    );
  });
});
