import type { Database } from '../../store/index.ts';
import type { EmbeddingCache } from '../semantic/embeddingCache.ts';
import { DIMENSIONS } from '../semantic/kernels.ts';
import { marks } from './statement.ts';

/** Embeddings in the store, as 32-bit floats in little-endian order. */
export function sqlEmbeddingCache(database: Database): EmbeddingCache {
  return {
    async find(keys) {
      if (keys.length === 0) return new Map();
      const rows = await database.all<{ key: string; vector: Uint8Array }>(
        `SELECT key, vector FROM search_embeddings WHERE key IN (${marks(keys.length)})`,
        keys,
      );
      const whole = rows.filter(({ vector }) => vector.byteLength === DIMENSIONS * 4);
      return new Map(whole.map(({ key, vector }) => [key, read(vector)]));
    },
    async keep(embeddings) {
      for (const [key, vector] of embeddings) {
        await database.run(
          'INSERT INTO search_embeddings (key, vector) VALUES (?, ?) ON CONFLICT (key) DO NOTHING',
          [key, write(vector)],
        );
      }
    },
  };
}

function read(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: DIMENSIONS }, (_, n) => view.getFloat32(n * 4, true));
}

function write(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(DIMENSIONS * 4);
  const view = new DataView(bytes.buffer);
  vector.forEach((part, n) => {
    view.setFloat32(n * 4, part, true);
  });
  return bytes;
}
