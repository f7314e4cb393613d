import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { Database } from '../store/index.ts';
import type { CatalogSearch } from './catalogSearch.ts';
import { createCatalogSearch } from './createCatalogSearch.ts';
import type { IndexFile } from './kept/indexFile.ts';
import { HttpEmbedding } from './semantic/httpEmbedding.ts';
import { LocalEmbedding } from './semantic/localEmbedding.ts';
import { openSearchIndex } from './sql/openSearchIndex.ts';
import { sqlEmbeddingCache } from './sql/sqlEmbeddingCache.ts';

/** Settings of an embedding server, from the variables `EMBEDDINGS_…`. */
export interface EmbeddingSettings {
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | null;
  /** The model's dimensions, if fewer than 1,024. */
  readonly dimensions?: number;
  /** Prefixes of queries and of entries' texts. */
  readonly queryPrefix?: string;
  readonly textPrefix?: string;
  /** How long a query waits for its embedding, in milliseconds. */
  readonly waitMs?: number;
  /** Cosine below which an entry is unrelated to a query. */
  readonly floor?: number;
}

export interface OpenSearchOptions {
  readonly database: Database;
  /** Null for embedding in this process. */
  readonly embeddings: EmbeddingSettings | null;
  /** Reads the table of word vectors that embedding in this process needs. */
  readonly readWords: () => Uint8Array;
  /** Where the index is stored across restarts, if it is only in this process. */
  readonly indexFile?: IndexFile;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Opens the search for the settings and the store. Embeddings come from the configured server or from this process; entries are
 * in PostgreSQL, or in this process, where there are none at first.
 */
export async function openCatalogSearch(options: OpenSearchOptions): Promise<CatalogSearch> {
  const { database, embeddings, readWords, fetch, clock, logger, indexFile } = options;
  const file = indexFile === undefined ? {} : { file: indexFile };
  if (embeddings === null) {
    const provider = new LocalEmbedding(readWords);
    const index = await openSearchIndex(database, provider);
    return createCatalogSearch({ clock, logger, provider, index, ...file });
  }
  const { url, model, apiKey, dimensions, floor, queryPrefix = '', textPrefix = '' } = embeddings;
  const provider = new HttpEmbedding({
    url,
    model,
    ...(apiKey === null ? {} : { apiKey }),
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(floor === undefined ? {} : { floor }),
    prefixes: { query: queryPrefix, entry: textPrefix },
    fetch,
    clock,
    logger,
  });
  const index = await openSearchIndex(database, provider);
  const cache = sqlEmbeddingCache(database);
  const { waitMs } = embeddings;
  const wait = waitMs === undefined ? {} : { queryBudgetMs: waitMs };
  return createCatalogSearch({ clock, logger, provider, index, cache, ...wait, ...file });
}
