import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import type { Database } from '../store/index.ts';
import type { CatalogSearch } from './catalogSearch.ts';
import { createCatalogSearch } from './createCatalogSearch.ts';
import { HttpEmbedding } from './semantic/httpEmbedding.ts';
import { LocalEmbedding } from './semantic/localEmbedding.ts';
import { openSearchIndex } from './sql/openSearchIndex.ts';
import { sqlEmbeddingCache } from './sql/sqlEmbeddingCache.ts';

/** `EMBEDDINGS_URL`, `EMBEDDINGS_MODEL` and `EMBEDDINGS_API_KEY`. */
export interface EmbeddingSettings {
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | null;
}

export interface OpenSearchOptions {
  readonly database: Database;
  /** Null for the embedding of this process. */
  readonly embeddings: EmbeddingSettings | null;
  /** Reads the table of word vectors that the embedding of this process needs. */
  readonly readWords: () => Uint8Array;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The search as the settings and the store have it: embeddings from the server that is set or from this
 * process; entries in PostgreSQL or in this process. Entries in this process are none at first.
 */
export async function openCatalogSearch(options: OpenSearchOptions): Promise<CatalogSearch> {
  const { database, embeddings, readWords, fetch, clock, logger } = options;
  if (embeddings === null) {
    const provider = new LocalEmbedding(readWords);
    const index = await openSearchIndex(database, provider);
    return createCatalogSearch({ clock, logger, provider, index });
  }
  const { url, model, apiKey } = embeddings;
  const key = apiKey === null ? {} : { apiKey };
  const provider = new HttpEmbedding({ url, model, ...key, fetch, clock, logger });
  const index = await openSearchIndex(database, provider);
  const cache = sqlEmbeddingCache(database);
  return createCatalogSearch({ clock, logger, provider, index, cache });
}
