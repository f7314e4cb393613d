import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { FoundByWords } from '../searchIndex.ts';
import { Best } from './best.ts';
import { fuse } from './fuse.ts';

/** Words that matter little in the query. */
const WEAK = { coverage: 0.2, surprise: 0 };

const entry = (sequence: number, popularity = 0, score = 1, evidence = WEAK): FoundByWords => ({
  id: `e${sequence}`,
  sequence,
  popularity,
  standing: 0,
  seller: sequence,
  origin: sequence,
  likeness: null,
  score,
  evidence,
});

const rankings = fc.uniqueArray(fc.nat({ max: 400 }), { maxLength: 60 }).chain((all) =>
  fc
    .tuple(fc.shuffledSubarray(all), fc.shuffledSubarray(all), fc.boolean())
    .map(([a, b, covered]) => ({
      lexical: a.map((n) => entry(n, n % 3, 1, covered ? { coverage: 1, surprise: n % 7 } : WEAK)),
      vector: b.map((n) => entry(n, n % 3)),
    })),
);

describe('Both stages are fused by reciprocal ranks', () => {
  it('[spec: GET /discovery/search/Fusion] score = 1/(60 + lexical rank) + 1/(60 + vector rank)', () => {
    const fused = fuse([entry(1, 0, 9), entry(2, 0, 4)], [entry(1), entry(3), entry(4), entry(2)]);
    assert.deepEqual(
      fused.map(({ entry: { id }, score, lexicalRank, vectorRank }) => ({
        id,
        score,
        lexicalRank,
        vectorRank,
      })),
      [
        { id: 'e1', score: 1 / 61 + 1 / 61, lexicalRank: 1, vectorRank: 1 },
        { id: 'e2', score: 1 / 62 + 1 / 64, lexicalRank: 2, vectorRank: 4 },
        { id: 'e3', score: 1 / 62, lexicalRank: null, vectorRank: 2 },
        { id: 'e4', score: 1 / 63, lexicalRank: null, vectorRank: 3 },
      ],
    );
  });

  it('[spec: GET /discovery/search/Ties] ties are broken by settlements × 2 + unique payers, then by age', () => {
    const ids = (...lexical: FoundByWords[]) => fuse(lexical, []).map(({ entry: { id } }) => id);
    assert.deepEqual(ids(entry(1, 4), entry(2, 5)), ['e2', 'e1']);
    assert.deepEqual(ids(entry(1, 5), entry(2, 5)), ['e1', 'e2']);
    assert.deepEqual(ids(entry(2, 5), entry(1, 5)), ['e1', 'e2']);
  });

  it('nearness decides before payments, among entries that are equal by words', () => {
    const ids = (lexical: FoundByWords[], vector: FoundByWords[]) =>
      fuse(lexical, vector).map(({ entry: { id } }) => id);
    const paid = entry(1, 1_000);
    const near = entry(2);
    assert.deepEqual(ids([paid, near], [near, paid]), ['e2', 'e1']);
    assert.deepEqual(ids([paid, near], [near]), ['e2', 'e1']);
    const better = entry(3, 0, 2.5);
    assert.deepEqual(ids([better, paid, near], [better, near]), ['e3', 'e2', 'e1']);
  });

  it('a common word and a vague similarity together do not outrank the nearest entry', () => {
    const nearest = entry(1, 0, 0.8);
    const vague = entry(2, 0, 0.5);
    const fused = fuse([entry(2, 0, 3)], [nearest, vague], 0.1);
    assert.deepEqual(
      fused.map(({ entry: { id }, vectorRank, nearness }) => ({ id, vectorRank, nearness })),
      [
        { id: 'e1', vectorRank: 1, nearness: 0.8 },
        { id: 'e2', vectorRank: null, nearness: 0.5 },
      ],
    );
  });

  it('points rank entries that are about equally near', () => {
    const [rare, common] = [entry(1, 0, 9), entry(2, 1_000, 3)];
    const fused = fuse([rare, common], [entry(2, 1_000, 0.8), entry(1, 0, 0.79)], 0.1);
    assert.deepEqual(
      fused.map(({ entry: { id }, lexicalRank }) => [id, lexicalRank]),
      [
        ['e2', 2],
        ['e1', 1],
      ],
    );
    const alone = fuse([rare, common], []);
    assert.deepEqual(
      alone.map(({ entry: { id } }) => id),
      ['e1', 'e2'],
    );
  });

  it('ignores nearness if all entries are at the floor', () => {
    const fused = fuse([entry(1, 0, 9), entry(2, 0, 3)], [entry(2, 0, 0), entry(1, 0, 0)], 0);
    assert.deepEqual(
      fused.map(({ lexicalRank, vectorRank }) => [lexicalRank, vectorRank]),
      [
        [2, 1],
        [1, 2],
      ],
    );
  });

  it('words that cover the query, not by coincidence, outrank a slightly greater nearness', () => {
    const told = (coverage: number, surprise: number) => {
      const named = entry(1, 0, 9, { coverage, surprise });
      const vague = entry(2, 0, 3);
      return fuse([named, vague], [entry(2, 0, 0.55), entry(1, 0, 0.45)], 0.1).map(
        ({ entry: { id }, lexicalRank, vectorRank }) => [id, lexicalRank, vectorRank],
      );
    };
    assert.deepEqual(told(0.9, 12), [
      ['e1', 1, 1],
      ['e2', 2, 2],
    ]);
    assert.deepEqual(told(0.9, 0), [
      ['e2', 1, 1],
      ['e1', 2, 2],
    ]);
    assert.deepEqual(told(0.3, 7.9), [
      ['e2', 1, 1],
      ['e1', 2, null],
    ]);
  });

  it('for a long task that no entry half covers, words beyond coincidence are evidence too', () => {
    const named = entry(1, 0, 9, { coverage: 0.2, surprise: 12 });
    const fused = fuse([named, entry(2, 0, 3)], [entry(2, 0, 0.55), entry(1, 0, 0.45)], 0.1);
    assert.deepEqual(
      fused.map(({ entry: { id }, lexicalRank, vectorRank }) => [id, lexicalRank, vectorRank]),
      [
        ['e1', 1, 1],
        ['e2', 2, 2],
      ],
    );
  });

  it('words are evidence from half of the query, or from a surprise of ten nats', () => {
    const leads = (coverage: number, surprise: number) => {
      const named = entry(1, 0, 9, { coverage, surprise });
      const fused = fuse([named], [entry(2, 0, 0.55), entry(1, 0, 0.4)], 0.1);
      // If nearness leads, an entry that is not near enough has no second rank.
      return fused.find(({ entry: { id } }) => id === 'e1')?.vectorRank !== null;
    };
    assert.equal(leads(0.49, 9.9), false);
    assert.equal(leads(0.5, 40), true);
    assert.equal(leads(0.2, 40), true);
    assert.equal(leads(0.2, 9.99), false);
    const atTen = [entry(1, 0, 9, { coverage: 0, surprise: 10 }), entry(2, 0, 3)];
    assert.equal(fuse(atTen, [entry(1), entry(2)])[1]?.vectorRank, 2, 'ten itself');
    const below = [entry(1, 0, 9, { coverage: 0, surprise: 9 }), entry(2, 0, 3)];
    assert.equal(fuse(below, [entry(1), entry(2, 0, 0.5)])[1]?.vectorRank, null);
  });

  it('for words that mean little, a nearness counts as a second rank from 90 % of the greatest', () => {
    const rankAt = (nearness: number) =>
      fuse([entry(2, 0, 3)], [entry(1, 0, 1), entry(2, 0, nearness)]).find(
        ({ entry: { id } }) => id === 'e2',
      )?.vectorRank;
    assert.equal(rankAt(0.9), 2);
    assert.equal(rankAt(0.89), null);
  });

  it('entries beyond the hundred nearest do not change how much a nearness says', () => {
    const told = { coverage: 1, surprise: 5 };
    const lexical = [entry(1, 0, 9, told), entry(2, 0, 3)];
    const near = [
      ...[entry(2, 0, 0.6), entry(1, 0, 0.5)],
      ...Array.from({ length: 98 }, (_, n) => entry(n + 3, 0, 0.5 - n / 1_000)),
    ];
    const far = Array.from({ length: 900 }, (_, n) => entry(n + 101, 0, 0.4 - n / 4_000));
    const ids = (vector: FoundByWords[]) =>
      fuse(lexical, vector, 0.1)
        .slice(0, 100)
        .map(({ entry: { id } }) => id);
    assert.deepEqual(ids([...near, ...far]), ids(near));
  });

  it('a difference of cosines counts less if a hundred entries are about equally near', () => {
    const told = { coverage: 1, surprise: 5 };
    const [named, nearest] = [entry(1, 0, 9, told), entry(2, 0, 3)];
    const first = (others: FoundByWords[]) => {
      const vector = [entry(2, 0, 0.6), entry(1, 0, 0.5), ...others];
      return fuse([named, nearest], vector, 0.1)[0]?.entry.id;
    };
    assert.equal(first([]), 'e2');
    const crowd = (to: number) =>
      Array.from({ length: 98 }, (_, n) => entry(n + 3, 0, 0.5 - ((0.5 - to) * n) / 97));
    assert.equal(first(crowd(0.2)), 'e1');
    assert.equal(first(crowd(0.49)), 'e2', 'two stand out from a crowd');
  });

  it('two weak hints together do not outrank what one stage alone has more evidence of', () => {
    const both = entry(2, 0, 3);
    const named = entry(1, 0, 9, { coverage: 1, surprise: 20 });
    const ranked = (vector: FoundByWords[]) =>
      fuse([named, both], vector, 0.1).map(({ entry: { id }, lexicalRank, vectorRank }) => [
        id,
        lexicalRank,
        vectorRank,
      ]);
    assert.deepEqual(ranked([entry(2, 0, 0.2)]), [
      ['e1', 1, null],
      ['e2', 2, null],
    ]);
    assert.deepEqual(ranked([entry(3, 0, 0.9), entry(2, 0, 0.2)]), [
      ['e3', null, 1],
      ['e1', 1, null],
      ['e2', 2, null],
    ]);
  });

  it('without the semantic stage the order follows the points, even if words are a coincidence', () => {
    const covered = { coverage: 0.6, surprise: 0 };
    const lexical = [entry(3, 0, 9, covered), entry(1, 5, 8, covered), entry(2, 9, 8, covered)];
    assert.deepEqual(
      fuse(lexical, []).map(({ entry: { id } }) => id),
      ['e3', 'e2', 'e1'],
    );
  });

  it('ranks every entry that a stage found once, in descending order of score', () => {
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
  it('are the same as after sorting all of them', () => {
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
