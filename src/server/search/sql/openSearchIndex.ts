import type { Database } from '../../store/index.ts';
import { MemoryIndex } from '../memory/memoryIndex.ts';
import type { SearchIndex } from '../searchIndex.ts';
import type { EmbeddingProvider } from '../semantic/embeddingProvider.ts';
import { preparePgvector } from './pgvector.ts';
import { SqlIndex } from './sqlIndex.ts';

/**
 * Opens the index that fits the store: PostgreSQL stores words, filters and, with pgvector, vectors;
 * without pgvector, the vectors are in this process. With the embedded store, everything is in this
 * process.
 */
export async function openSearchIndex(
  database: Database,
  provider: Pick<EmbeddingProvider, 'name'>,
): Promise<SearchIndex> {
  if (database.dialect !== 'postgres') return new MemoryIndex();
  const pgvector = await preparePgvector(database, provider.name);
  return SqlIndex.open({
    database,
    provider: provider.name,
    vectors: pgvector ? null : new MemoryIndex({ words: false }),
  });
}
