import { createHash } from 'node:crypto';

/** Stores embeddings by content, so that they need not be computed again after a restart. */
export interface EmbeddingCache {
  find(keys: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  keep(embeddings: ReadonlyMap<string, Float32Array>): Promise<void>;
}

/** Keeps nothing, for a provider in this process, which is as fast as a lookup. */
export const noEmbeddingCache: EmbeddingCache = {
  find: () => Promise.resolve(new Map()),
  keep: () => Promise.resolve(),
};

/** The key of a text's embedding by a provider. */
export const embeddingKey = (provider: string, text: string): string =>
  createHash('sha256')
    .update(JSON.stringify([provider, text]))
    .digest('hex');
