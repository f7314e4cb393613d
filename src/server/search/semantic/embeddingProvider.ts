/** Purpose of an embedding. */
export type EmbeddingPurpose = 'query' | 'entry';

/** What a model's cosines mean. */
export interface NearnessScale {
  /** From here on, two texts have something to do with each other. */
  readonly some: number;
  /** From here on, they are about the same thing. */
  readonly much: number;
}

/** Makes embeddings of 1,024 dimensions. */
export interface EmbeddingProvider {
  /** Model and version: embeddings with different names are not compared. */
  readonly name: string;
  /** A text with a lower cosine counts as unrelated to the query. */
  readonly floor: number;
  /** What its cosines mean; null if that is not known. */
  readonly scale: NearnessScale | null;
  /** Whether embeddings are made immediately in this process, so that nothing has to wait or continue without. */
  readonly local: boolean;
  /**
   * One embedding for each text.
   *
   * @param purpose some models need to know whether a text is a query or a document
   *
   * @throws {EmbeddingError} if none can be made now
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose): Promise<readonly Float32Array[]>;
  circuit(): 'closed' | 'open' | 'probing';
}

/**
 * Why embeddings could not be made. The message contains no part of the response and no key.
 * `embeddings_mismatch`: the provider returned something else than was requested, and would again.
 */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError';
  readonly code: 'embeddings_unavailable' | 'embeddings_mismatch' | 'embeddings_held_back';

  constructor(code: EmbeddingError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
