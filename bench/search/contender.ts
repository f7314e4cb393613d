import type { SearchDocument } from '../../src/server/search/index.ts';

/** A search engine; all get the same entries and queries. */
export interface Contender {
  readonly name: string;
  add(documents: readonly SearchDocument[], vectors: readonly Float32Array[]): Promise<void>;
  /** The ids of the top twenty. */
  search(query: string, vector: Float32Array): Promise<readonly string[]>;
}
