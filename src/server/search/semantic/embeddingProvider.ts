/** Purpose of an embedding. */
export type EmbeddingPurpose = 'query' | 'entry';

/** The scale of a model's cosines. */
export interface NearnessScale {
  /** From this cosine on, two texts are related. */
  readonly some: number;
  /** From this cosine on, they are about the same thing. */
  readonly much: number;
}

/** Computes embeddings with 1,024 dimensions. */
export interface EmbeddingProvider {
  /** Model and version: embeddings with different names are not compared. */
  readonly name: string;
  /** A text with a lower cosine counts as unrelated to the query. */
  readonly floor: number;
  /** The scale of its cosines; null if it is unknown. */
  readonly scale: NearnessScale | null;
  /** Whether embeddings are computed immediately in this process, so that no query has to wait or continue without one. */
  readonly local: boolean;
  /**
   * Returns one embedding for each text.
   *
   * @param purpose some models need to know whether a text is a query or a document
   *
   * @throws {EmbeddingError} if none can be computed now
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<readonly Float32Array[]>;
  circuit(): 'closed' | 'open' | 'probing';
}

/**
 * Why embeddings could not be computed. The message contains no part of the response and no key.
 * `embeddings_mismatch`: the provider returned something other than was requested, and would do so again.
 */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError';
  readonly code: 'embeddings_unavailable' | 'embeddings_mismatch' | 'embeddings_held_back';

  constructor(code: EmbeddingError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
