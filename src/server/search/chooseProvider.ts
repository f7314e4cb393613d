import type { EmbeddingProvider } from './semantic/embeddingProvider.ts';
import { HttpEmbedding, type HttpEmbeddingOptions } from './semantic/httpEmbedding.ts';
import { TopicEmbedding } from './semantic/topicEmbedding.ts';

/** `EMBEDDINGS_URL`, `EMBEDDINGS_MODEL` and `EMBEDDINGS_API_KEY`, already read. */
export interface EmbeddingSettings {
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string;
}

/** The server that is set, or the embedding of this process. */
export function chooseProvider(
  settings: EmbeddingSettings | null,
  parts: Pick<HttpEmbeddingOptions, 'fetch' | 'clock' | 'logger'>,
): EmbeddingProvider {
  return settings === null ? new TopicEmbedding() : new HttpEmbedding({ ...settings, ...parts });
}
