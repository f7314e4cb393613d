import { parseArgs } from 'node:util';
import { systemClock } from '../../src/server/clock.ts';
import { silentLogger } from '../../src/server/logger.ts';
import type { EmbeddingProvider } from '../../src/server/search/index.ts';
import { HttpEmbedding } from '../../src/server/search/semantic/httpEmbedding.ts';
import { TopicEmbedding } from '../../src/server/search/semantic/topicEmbedding.ts';
import { type RankedQuery, rankedByStage } from '../../test/support/rankedByStage.ts';
import { mean, ndcg, recall, reciprocalRank } from '../../test/support/rankingQuality.ts';
import { labelledEntries, labelledQueries } from '../../test/support/searchDocuments.ts';
import { table } from '../table.ts';

const { values } = parseArgs({
  options: { url: { type: 'string' }, model: { type: 'string' }, floor: { type: 'string' } },
});

function chosenProvider(): EmbeddingProvider {
  const { url, model, floor } = values;
  if (url === undefined) return new TopicEmbedding();
  const { EMBEDDINGS_API_KEY: apiKey } = process.env;
  return new HttpEmbedding({
    url,
    model: model ?? 'default',
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(floor === undefined ? {} : { floor: Number(floor) }),
    fetch,
    clock: systemClock,
    logger: silentLogger,
  });
}

const entries = labelledEntries();
const queries = labelledQueries();
const provider = chosenProvider();
const ranked = await rankedByStage(entries, queries, provider);

const groups: readonly (readonly [name: string, belongs: (ranked: RankedQuery) => boolean])[] = [
  ['all', () => true],
  ['held out', ({ query }) => query.heldOut],
  ['tuned on', ({ query }) => !query.heldOut],
  ['plain', ({ query }) => query.kind === 'plain'],
  ['paraphrase', ({ query }) => query.kind === 'paraphrase'],
  ['misspelt', ({ query }) => query.kind === 'misspelt'],
];

console.log(
  `${entries.length} entries, ${queries.length} queries; embeddings: ${provider.name}, ` +
    `cosine ${provider.floor} or more\n`,
);
console.log(
  table(
    ['queries', 'stage', 'nDCG@10', 'MRR', 'recall@20'],
    groups.flatMap(([name, belongs]) => {
      const members = ranked.filter(belongs);
      return (['lexical', 'semantic', 'fused'] as const).map((stage, n) => [
        n === 0 ? `${name} (${members.length})` : '',
        stage,
        figure(members, ({ query, [stage]: ids }) => ndcg(ids, query.grades, 10)),
        figure(members, ({ query, [stage]: ids }) => reciprocalRank(ids, query.grades)),
        figure(members, ({ query, [stage]: ids }) => recall(ids, query.grades, 20)),
      ]);
    }),
  ),
);

function figure(members: readonly RankedQuery[], of: (ranked: RankedQuery) => number): string {
  return mean(members.map(of)).toFixed(3);
}
