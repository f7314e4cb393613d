import { systemClock } from '../../src/server/clock.ts';
import { silentLogger } from '../../src/server/logger.ts';
import {
  createCatalogSearch,
  type EmbeddingProvider,
  type SearchDocument,
  type SearchHit,
} from '../../src/server/search/index.ts';
import type { LabelledQuery } from './searchDocuments.ts';

export interface RankedQuery {
  readonly query: LabelledQuery;
  readonly lexical: readonly string[];
  readonly semantic: readonly string[];
  readonly fused: readonly string[];
}

/** What each stage, and both, answer to the queries; of the embedded provider unless told. */
export async function rankedByStage(
  entries: readonly SearchDocument[],
  queries: readonly LabelledQuery[],
  provider?: EmbeddingProvider,
): Promise<readonly RankedQuery[]> {
  const search = createCatalogSearch({
    clock: systemClock,
    queryBudgetMs: 10_000,
    logger: silentLogger,
    ...(provider ? { provider } : {}),
  });
  for (const entry of entries) await search.put(entry);
  await search.settled();
  const ranked: RankedQuery[] = [];
  for (const query of queries) {
    const request = { query: query.query, filters: {}, limit: 2_000, cursor: null };
    const outcome = await search.search(request);
    if (outcome.kind === 'refused') throw new Error(outcome.code);
    const { hits, partialResults } = outcome.page;
    if (partialResults) throw new Error('the semantic stage did not take part');
    ranked.push({
      query,
      lexical: byRank(hits, ({ lexicalRank }) => lexicalRank),
      semantic: byRank(hits, ({ vectorRank }) => vectorRank),
      fused: hits.map(({ id }) => id),
    });
  }
  return ranked;
}

function byRank(hits: readonly SearchHit[], rank: (hit: SearchHit) => number | null): string[] {
  return hits
    .flatMap((hit) => {
      const n = rank(hit);
      return n === null ? [] : [{ id: hit.id, n }];
    })
    .sort((a, b) => a.n - b.n)
    .map(({ id }) => id);
}
