/** Purpose of an embedding. */
export type EmbeddingPurpose = 'query' | 'entry';

/** Makes embeddings of 1,024 dimensions, whichever way. */
export interface EmbeddingProvider {
  /** What made them, by model and version: embeddings of another name are not compared with these. */
  readonly name: string;
  /** Below this cosine a text counts as having nothing to do with a query. */
  readonly floor: number;
  /** Made at once in this process, so that nobody has to wait or do without. */
  readonly local: boolean;
  /**
   * One embedding for each text.
   *
   * @param purpose some models need to know whether a text is a query or a document
   *
   * @throws {EmbeddingError} when none can be made now
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<readonly Float32Array[]>;
  circuit(): 'closed' | 'open' | 'probing';
}

/**
 * Why embeddings could not be made. The message has no part of the answer and no key.
 * `embeddings_mismatch`: the provider answered with something else than was asked for, and will again.
 */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError';
  readonly code: 'embeddings_unavailable' | 'embeddings_mismatch' | 'embeddings_held_back';

  constructor(code: EmbeddingError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
