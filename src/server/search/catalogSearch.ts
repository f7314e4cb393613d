import type { Explain } from './match/explainMatch.ts';
import type { Counts, SearchDocument, SearchFilters } from './searchDocument.ts';

/** A condition on entries that the index cannot evaluate. It is applied to the ranking. */
export interface Narrowing {
  /** Equal for equal conditions; a cursor is valid for one name only. */
  readonly name: string;
  /** Returns the ids that meet the condition. */
  readonly keep: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

export interface SearchRequest {
  readonly query: string;
  readonly filters: SearchFilters;
  readonly narrow?: Narrowing;
  /** 1 to 100; the caller checks it. */
  readonly limit: number;
  /** The cursor of the previous page, or null for the first page. */
  readonly cursor: string | null;
}

export interface SearchHit {
  readonly id: string;
  /** 1/(60 + lexical rank) + 1/(60 + vector rank), without the term of a stage that did not find it. */
  readonly score: number;
  readonly lexicalRank: number | null;
  readonly vectorRank: number | null;
  /** Lexical points, if the lexical stage found the entry; more are better, within one response. */
  readonly points: number | null;
  /** The cosine to the query, if the semantic stage found the entry. */
  readonly nearness: number | null;
  /** Number of nearly equal entries of the same seller that this one represents. */
  readonly moreBySeller: number;
}

export interface SearchPage {
  readonly hits: readonly SearchHit[];
  /** Null on the last page. */
  readonly cursor: string | null;
  /**
   * The semantic stage was skipped, or lacks some entries; or entries are still being loaded; or a narrowed
   * ranking had to end before the last entry that was found.
   */
  readonly partialResults: boolean;
  /** Whether the semantic stage took part. */
  readonly semantic: boolean;
}

/** `empty_query`: only white space. The cursor codes show whether the cursor was ever valid. */
export type SearchRefusal = 'empty_query' | 'invalid_cursor' | 'cursor_filters_changed';

export type SearchOutcome =
  | { readonly kind: 'page'; readonly page: SearchPage }
  | { readonly kind: 'refused'; readonly code: SearchRefusal };

/** The search's part of `/health`. */
export interface SearchStatus {
  readonly documents: number;
  /** Number of entries whose embedding is not computed yet. */
  readonly pendingEmbeddings: number;
  /** Name of the embedding provider and its state; `open`: calls are held back after failures. */
  readonly embeddings: {
    readonly provider: string;
    readonly circuit: 'closed' | 'open' | 'probing';
  };
  readonly vectorIndex: 'in process' | 'pgvector';
}

/**
 * Search over the catalog's entries. The cost of adding an entry depends on its own words, not on the catalog's size;
 * embeddings are computed after `put` has returned.
 */
export interface CatalogSearch {
  /** Adds an entry, or replaces the one with its id. */
  put(document: SearchDocument): Promise<void>;
  /** Updates only the counts, which change with each settlement. Unknown ids are ignored. */
  count(id: string, counts: Counts): Promise<void>;
  remove(id: string): Promise<void>;
  search(request: SearchRequest): Promise<SearchOutcome>;
  /** Explains why the hits of a query were found, by the entries' texts. */
  explain(query: string): Explain;
  status(): SearchStatus;
  /**
   * Replaces the empty index with the stored one.
   * @param isKnown whether the store knows the mark that it was stored under
   * @returns ids of entries that have to be put again, or null if there is no usable stored index
   */
  restore(isKnown: (mark: string) => Promise<boolean>): Promise<readonly string[] | null>;
  /**
   * Stores the index for the next start. No entry may be put or removed meanwhile.
   * @returns whether it was stored; false also if this search never stores its index
   */
  keep(mark: string): Promise<boolean>;
  /** Whether the index is stored in a file across restarts. */
  readonly keeps: boolean;
  /** While entries are still being loaded after a start, responses are marked as partial. */
  setLoading(loading: boolean): void;
  /** Resolves when no embedding is pending, or the pending ones cannot be computed now. */
  settled(): Promise<void>;
  /** Stops computing embeddings. */
  stop(): void;
}
