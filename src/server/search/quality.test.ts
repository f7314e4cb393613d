import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rankedByStage } from '../../../test/support/rankedByStage.ts';
import { mean, ndcg } from '../../../test/support/rankingQuality.ts';
import {
  type LabelledQuery,
  labelledEntries,
  labelledQueries,
} from '../../../test/support/searchDocuments.ts';

describe('On the labelled set the fused ranking is better than words alone', () => {
  it('holds at least 200 entries and 150 queries, of which about a third is held out', () => {
    const queries = labelledQueries();
    const ids = new Set(labelledEntries().map(({ id }) => id));
    assert.ok(ids.size >= 200 && queries.length >= 150);
    const heldOut = queries.filter((query) => query.heldOut).length;
    assert.ok(Math.abs(heldOut - queries.length / 3) < 5);
    for (const { grades, query } of queries) {
      assert.ok(
        Object.keys(grades).every((id) => ids.has(id)),
        query,
      );
      assert.ok(Object.values(grades).includes(3), query);
    }
    assert.equal(new Set(queries.map(({ query }) => query)).size, queries.length);
  });

  it('nDCG@10: fused over lexical by 0.1 and more, also on the queries held out', async () => {
    const ranked = await rankedByStage(labelledEntries(), labelledQueries());
    const held = ({ heldOut }: LabelledQuery) => heldOut;
    for (const chosen of [() => true, held]) {
      const of = (stage: 'lexical' | 'fused') =>
        mean(
          ranked
            .filter(({ query }) => chosen(query))
            .map((r) => ndcg(r[stage], r.query.grades, 10)),
        );
      assert.ok(of('fused') > of('lexical') + 0.1, `${of('fused')} over ${of('lexical')}`);
      // Hold what was reached, so that a change that makes it worse is seen.
      assert.ok(of('fused') > 0.82, String(of('fused')));
    }
  });
});
