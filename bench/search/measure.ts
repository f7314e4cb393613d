import { embeddingText } from '../../src/server/search/semantic/embeddingText.ts';
import { localEmbedding } from '../../test/support/localEmbedding.ts';
import { labelledQueries } from '../../test/support/searchDocuments.ts';
import type { Contender } from './contender.ts';
import { corpus } from './corpus.ts';

const BATCH = 1_000;
const ROUNDS = 3;
const WARM_UP = 30;
/** For larger catalogs, each query is run once. */
const ONCE_FROM = 100_000;

/** Two numbers that summarize many measurements. */
export const spreadOf = (measured: readonly number[]): Spread => ({
  p50: percentile(measured, 0.5),
  p99: percentile(measured, 0.99),
});

export interface Measured {
  readonly name: string;
  readonly size: number;
  readonly indexMs: number;
  /** Resident memory of the index. */
  readonly megabytes: number;
  /** Milliseconds from query to hits, and the CPU time for it. */
  readonly wait: Spread;
  readonly work: Spread;
}

export interface Spread {
  readonly p50: number;
  readonly p99: number;
}

/** The value that this share of sorted measurements does not exceed. */
export function percentile(measured: readonly number[], share: number): number {
  const sorted = [...measured].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Fills a contender and runs the labelled queries, after some warm-up queries. */
export async function measure(contender: Contender, size: number): Promise<Measured> {
  const embedding = localEmbedding();
  const queries = labelledQueries().map(({ query }) => ({
    query,
    vector: embedding.embedText(query),
  }));
  let indexMs = 0;
  let resident = 0;
  let batch = [];
  for (const document of corpus(size)) {
    batch.push(document);
    if (batch.length < BATCH && document.sequence < size) continue;
    const vectors = batch.map((entry) => embedding.embedText(embeddingText(entry)));
    if (resident === 0) resident = collected();
    const begin = performance.now();
    await contender.add(batch, vectors);
    indexMs += performance.now() - begin;
    batch = [];
  }
  const megabytes = (collected() - resident) / 1e6;
  const [waits, works]: [number[], number[]] = [[], []];
  for (const { query, vector } of queries.slice(0, WARM_UP)) await contender.search(query, vector);
  for (let round = 0; round < (size < ONCE_FROM ? ROUNDS : 1); round += 1) {
    for (const { query, vector } of queries) {
      const [began, worked] = [performance.now(), process.cpuUsage()];
      await contender.search(query, vector);
      waits.push(performance.now() - began);
      const { user, system } = process.cpuUsage(worked);
      works.push((user + system) / 1_000);
    }
  }
  const { name } = contender;
  return { name, size, indexMs, megabytes, wait: spreadOf(waits), work: spreadOf(works) };
}

function collected(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss();
}
