import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { rankedByStage } from '../../../test/support/rankedByStage.ts';
import { mean, ndcg } from '../../../test/support/rankingQuality.ts';
import {
  type LabelledQuery,
  labelledEntries,
  labelledQueries,
} from '../../../test/support/searchDocuments.ts';

/** The digest of `semantic/topics.ts` as it was written on 21 November 2026, without its comments. */
const TOPICS = '6f6c209bd6fcd80b956ecd0296426fb28ee33168e0e16f1df408142999dfdab4';

describe('The halves of the labelled set share no topic', () => {
  it('has at least 200 entries and 150 queries, about half of which are held out', () => {
    const queries = labelledQueries();
    const ids = new Set(labelledEntries().map(({ id }) => id));
    assert.ok(ids.size >= 200 && queries.length >= 150);
    const heldOut = queries.filter((query) => query.heldOut).length;
    assert.ok(heldOut > queries.length * 0.4 && heldOut < queries.length * 0.6, String(heldOut));
    for (const { grades, query } of queries) {
      assert.ok(
        Object.keys(grades).every((id) => ids.has(id)),
        query,
      );
      assert.ok(Object.values(grades).includes(3), query);
    }
    assert.equal(new Set(queries.map(({ query }) => query)).size, queries.length);
  });

  it('no topic or answering entry of the tuning half is in the held-out half', () => {
    const of = (half: boolean, read: (query: LabelledQuery) => readonly string[]) =>
      new Set(
        labelledQueries()
          .filter(({ heldOut }) => heldOut === half)
          .flatMap(read),
      );
    for (const read of [
      ({ topic }: LabelledQuery) => [topic],
      ({ grades }: LabelledQuery) => Object.keys(grades),
    ]) {
      const tuned = of(false, read);
      const both = [...of(true, read)].filter((name) => tuned.has(name));
      assert.deepEqual(both, []);
    }
  });

  it('the built-in topics have not changed since before the halves were made', () => {
    const file = new URL('./semantic/topics.ts', import.meta.url);
    const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*|\s/g, '');
    // Nobody who has read the held-out queries may edit the topics (docs/search.md, "Which figures were known when").
    assert.equal(createHash('sha256').update(code).digest('hex'), TOPICS);
  });
});

describe('On the labelled set the fused ranking is better than words alone', () => {
  it('nDCG@10: fused exceeds lexical by at least 0.1, in both halves and on queries never seen', async () => {
    const ranked = await rankedByStage(labelledEntries(), labelledQueries());
    const halves: readonly [(query: LabelledQuery) => boolean, number][] = [
      // Each with its present value, so that a change for the worse is noticed.
      [({ heldOut }) => !heldOut, 0.94],
      [({ heldOut }) => heldOut, 0.878],
      [({ heldOut, seen }) => heldOut && !seen, 0.84],
    ];
    for (const [chosen, reached] of halves) {
      const of = (stage: 'lexical' | 'fused') =>
        mean(
          ranked
            .filter(({ query }) => chosen(query))
            .map((r) => ndcg(r[stage], r.query.grades, 10)),
        );
      assert.ok(of('fused') > of('lexical') + 0.1, `${of('fused')} over ${of('lexical')}`);
      assert.ok(of('fused') > reached, String(of('fused')));
    }
  });

  it('it is not worse than either stage alone for any kind of query, in either half', async () => {
    const ranked = await rankedByStage(labelledEntries(), labelledQueries());
    for (const half of [false, true]) {
      for (const kind of ['plain', 'paraphrase', 'misspelt']) {
        const members = ranked.filter(({ query }) => query.heldOut === half && query.kind === kind);
        const of = (stage: 'lexical' | 'semantic' | 'fused') =>
          mean(members.map((r) => ndcg(r[stage], r.query.grades, 10)));
        const best = Math.max(of('lexical'), of('semantic'));
        assert.ok(of('fused') >= best - 0.005, `${kind}: ${of('fused')} under ${best}`);
      }
    }
  });
});
