import type { SearchDocument } from '../../src/server/search/index.ts';

/** A search that the same entries are put into and the same queries asked of. */
export interface Contender {
  readonly name: string;
  add(documents: readonly SearchDocument[], vectors: readonly Float32Array[]): Promise<void>;
  /** The ids of the first twenty. */
  search(query: string, vector: Float32Array): Promise<readonly string[]>;
}
