import { readFileSync } from 'node:fs';
import { silentLogger } from '../../src/server/logger.ts';
import {
  type CatalogSearch,
  createCatalogSearch,
  type SearchDocument,
} from '../../src/server/search/index.ts';
import { localEmbedding } from './localEmbedding.ts';
import { testClock } from './testClock.ts';

/** An entry of the search with the fields that a test sets. */
export function searchDocument(
  id: string,
  sequence: number,
  said: Partial<SearchDocument> = {},
): SearchDocument {
  return {
    id,
    sequence,
    url: `https://seller.test/${sequence}`,
    serviceName: null,
    tags: [],
    description: null,
    schemaText: '',
    settlements: 0,
    uniquePayers: 0,
    standing: 0,
    seller: `seller of ${id}`,
    origin: `origin of ${id}`,
    fields: {
      type: 'http',
      payTo: ['GSELLER'],
      scheme: ['exact'],
      network: ['stellar:testnet'],
      extensions: ['bazaar'],
    },
    ...said,
  };
}

export const memorySearch = (): CatalogSearch =>
  createCatalogSearch({ clock: testClock(), logger: silentLogger, provider: localEmbedding() });

/** The ids of all hits, page by page. */
export async function allHits(
  search: CatalogSearch,
  query: string,
  limit = 100,
  between: () => Promise<void> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const outcome = await search.search({ query, filters: {}, limit, cursor });
    if (outcome.kind === 'refused') throw new Error(outcome.code);
    ids.push(...outcome.page.hits.map(({ id }) => id));
    ({ cursor } = outcome.page);
    if (cursor !== null) await between();
  } while (cursor !== null);
  return ids;
}

export interface LabelledQuery {
  readonly kind: 'plain' | 'paraphrase' | 'misspelt';
  /** What it is about. A topic is in one half only, and so is each entry that answers. */
  readonly topic: string;
  /** The half that judges. The other one is for choosing words and weights. */
  readonly heldOut: boolean;
  /** Whether it was known while the built-in topics (`semantic/topics.ts`) were written. */
  readonly seen: boolean;
  readonly query: string;
  /** Entries that answer it: 3 what was asked for, 2 nearly, 1 of some use. */
  readonly grades: Readonly<Record<string, number>>;
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../data/search/${name}.json`, import.meta.url), 'utf8'));

/** The labelled set: services as their sellers describe them. */
export function labelledEntries(): readonly SearchDocument[] {
  const entries = read('entries') as readonly Omit<SearchDocument, 'sequence' | 'fields'>[];
  return entries.map((entry, n) => searchDocument(entry.id, n + 1, entry));
}

export const labelledQueries = (): readonly LabelledQuery[] =>
  read('queries') as readonly LabelledQuery[];
