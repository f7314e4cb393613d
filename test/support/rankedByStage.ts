import { systemClock } from '../../src/server/clock.ts';
import { silentLogger } from '../../src/server/logger.ts';
import {
  createCatalogSearch,
  type EmbeddingProvider,
  type SearchDocument,
  type SearchHit,
} from '../../src/server/search/index.ts';
import { localEmbedding } from './localEmbedding.ts';

interface Asked {
  readonly query: string;
}

interface RankedQuery<Query extends Asked> {
  readonly query: Query;
  readonly lexical: readonly string[];
  readonly semantic: readonly string[];
  readonly fused: readonly string[];
}

/** What each stage, and both, answer to the queries; by default with the embedded provider. */
export async function rankedByStage<Query extends Asked>(
  entries: readonly SearchDocument[],
  queries: readonly Query[],
  provider?: EmbeddingProvider,
): Promise<readonly RankedQuery<Query>[]> {
  const search = createCatalogSearch({
    clock: systemClock,
    queryBudgetMs: 10_000,
    logger: silentLogger,
    provider: provider ?? localEmbedding(),
  });
  for (const entry of entries) await search.put(entry);
  await search.settled();
  const ranked: RankedQuery<Query>[] = [];
  for (const query of queries) {
    const request = { query: query.query, filters: {}, limit: 2_000, cursor: null };
    const outcome = await search.search(request);
    if (outcome.kind === 'refused') throw new Error(outcome.code);
    const { hits } = outcome.page;
    if (search.status().pendingEmbeddings > 0) throw new Error('entries without an embedding');
    ranked.push({
      query,
      lexical: highest(hits, ({ points }) => points),
      semantic: highest(hits, ({ nearness }) => nearness),
      fused: hits.map(({ id }) => id),
    });
  }
  return ranked;
}

function highest(
  hits: readonly SearchHit[],
  value: (hit: SearchHit) => number | null,
): readonly string[] {
  return hits
    .flatMap((hit) => {
      const n = value(hit);
      return n === null ? [] : [{ id: hit.id, n }];
    })
    .sort((a, b) => b.n - a.n)
    .map(({ id }) => id);
}
