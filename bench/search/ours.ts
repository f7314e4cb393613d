import { systemClock } from '../../src/server/clock.ts';
import { silentLogger } from '../../src/server/logger.ts';
import { createCatalogSearch, type EmbeddingProvider } from '../../src/server/search/index.ts';
import { MemoryIndex } from '../../src/server/search/memory/memoryIndex.ts';
import { localEmbedding } from '../../test/support/localEmbedding.ts';
import type { Contender } from './contender.ts';

/** Returns precomputed vectors, so that only the search is measured. */
class GivenVectors implements EmbeddingProvider {
  readonly name = 'given';
  readonly local = true;
  readonly floor = localEmbedding().floor;
  readonly scale = localEmbedding().scale;
  next: Float32Array | undefined;

  embed(): Promise<readonly Float32Array[]> {
    return Promise.resolve(this.next ? [this.next] : []);
  }

  circuit(): 'closed' {
    return 'closed';
  }
}

export function ours(): Contender {
  const provider = new GivenVectors();
  const index = new MemoryIndex();
  const search = createCatalogSearch({
    clock: systemClock,
    logger: silentLogger,
    provider,
    index,
  });
  return {
    name: 'ours',
    async add(documents, vectors) {
      for (const [n, document] of documents.entries()) {
        provider.next = vectors[n];
        await search.put(document);
      }
    },
    async search(query, vector) {
      provider.next = vector;
      const request = { query, filters: {}, limit: 20, cursor: null };
      const outcome = await search.search(request);
      return outcome.kind === 'page' ? outcome.page.hits.map(({ id }) => id) : [];
    },
  };
}
