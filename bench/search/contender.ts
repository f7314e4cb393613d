import type { SearchDocument } from '../../src/server/search/index.ts';

/** A search engine; all receive the same entries and the same queries. */
export interface Contender {
  readonly name: string;
  add(documents: readonly SearchDocument[], vectors: readonly Float32Array[]): Promise<void>;
  /** The ids of the first twenty. */
  search(query: string, vector: Float32Array): Promise<readonly string[]>;
}
