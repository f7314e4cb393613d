import { parseArgs } from 'node:util';
import { systemClock } from '../../src/server/clock.ts';
import { silentLogger } from '../../src/server/logger.ts';
import type { EmbeddingProvider } from '../../src/server/search/index.ts';
import { HttpEmbedding } from '../../src/server/search/semantic/httpEmbedding.ts';
import { localEmbedding } from '../../test/support/localEmbedding.ts';
import { rankedByStage } from '../../test/support/rankedByStage.ts';
import { installSearchPeers } from '../search/installSearchPeers.ts';
import { table } from '../table.ts';
import { CONTENDERS } from './contenders.ts';
import { projectSet, readJudgedSet } from './judgedSet.ts';
import { type Lead, leads } from './lead.ts';
import { miniLm } from './miniLm.ts';
import { fusedWorse, type Quality, type Report, rate } from './quality.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
    // Fails if the fused ranking is worse than a stage for any kind of query.
    gate: { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
    // A folder with the wheel of all-MiniLM-L6-v2, which is then also ranked alone.
    minilm: { type: 'string' },
    url: { type: 'string' },
    model: { type: 'string' },
    floor: { type: 'string' },
  },
});

function chosenProvider(): EmbeddingProvider {
  const { url, model, floor } = values;
  if (url === undefined) return localEmbedding();
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

const { entries, queries, good } =
  values.data === undefined ? projectSet() : readJudgedSet(values.data);
const provider = chosenProvider();
const stages = await rankedByStage(entries, queries, provider);
const rankings: Record<string, readonly (readonly string[])[]> = {
  lexical: stages.map(({ lexical }) => lexical),
  semantic: stages.map(({ semantic }) => semantic),
  fused: stages.map(({ fused }) => fused),
};
if (!values['no-peers']) {
  installSearchPeers();
  for (const [name, ranker] of Object.entries(CONTENDERS)) {
    rankings[name] = await ranker(entries, queries);
  }
}
if (values.minilm !== undefined) {
  rankings['MiniLM'] = await miniLm(values.minilm)(entries, queries);
}
const report = rate(queries, rankings, good);
if (values.json) console.log(JSON.stringify(report));
else {
  print(report);
  printLeads(leads(queries, rankings));
}
const worse = fusedWorse(report);
if (values.gate && worse.length > 0) {
  for (const sentence of worse) console.error(sentence);
  process.exitCode = 1;
}

function print({ all, kinds, macro }: Report): void {
  const counts = new Map<string, number>();
  for (const kind of queries.flatMap((query) => query.kinds))
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  console.log(
    `${entries.length} entries, ${queries.length} queries; embeddings: ${provider.name}, ` +
      `cosine ${provider.floor} or more\n`,
  );
  const groups: [string, Readonly<Record<string, Quality>>][] = [
    [`all (${queries.length})`, all],
    ...Object.entries(kinds).map(([kind, of]): [string, Readonly<Record<string, Quality>>] => [
      `${kind} (${counts.get(kind) ?? 0})`,
      of,
    ]),
    ['mean of the kinds', macro],
  ];
  console.log(
    table(
      ['queries', 'ranking', 'nDCG@10', 'MRR', 'recall@20'],
      groups.flatMap(([group, of]) =>
        Object.entries(of).map(([name, { ndcg10, mrr, recall20 }], n) => [
          n === 0 ? group : '',
          name,
          ...[ndcg10, mrr, recall20].map((figure) => figure.toFixed(3)),
        ]),
      ),
    ),
  );
}

function printLeads(all: Readonly<Record<string, Lead>>): void {
  const signed = (value: number) => {
    const size = Math.abs(value).toFixed(3);
    if (Number(size) === 0) return size;
    return `${value < 0 ? '−' : '+'}${size}`;
  };
  console.log('\nThe fused ranking beside the better stage, nDCG@10');
  console.log(
    table(
      ['queries', 'better stage', 'difference', '95 % from', 'to'],
      Object.entries(all).map(([kind, { stage, difference, low, high }]) => [
        kind,
        stage,
        ...[difference, low, high].map(signed),
      ]),
    ),
  );
}
