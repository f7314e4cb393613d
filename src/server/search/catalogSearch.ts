import type { SearchDocument, SearchFilters } from './searchDocument.ts';

export interface SearchRequest {
  readonly query: string;
  readonly filters: SearchFilters;
  /** 1 to 100; the caller has checked it. */
  readonly limit: number;
  /** As a page before gave it, or null for the first page. */
  readonly cursor: string | null;
}

export interface SearchHit {
  readonly id: string;
  /** 1/(60 + lexical rank) + 1/(60 + vector rank), leaving out the stage that did not find it. */
  readonly score: number;
  readonly lexicalRank: number | null;
  readonly vectorRank: number | null;
  /** Points by words, where the lexical stage found the entry; more are better, within one answer. */
  readonly points: number | null;
  /** The cosine to the query, where the semantic stage found the entry. */
  readonly nearness: number | null;
}

export interface SearchPage {
  readonly hits: readonly SearchHit[];
  /** Null when nothing follows. */
  readonly cursor: string | null;
  /** The semantic stage did not take part, or not for every entry; or entries are still being read. */
  readonly partialResults: boolean;
}

/** `empty_query`: nothing but white space. The cursor codes say whether it was ever ours. */
export type SearchRefusal = 'empty_query' | 'invalid_cursor' | 'cursor_filters_changed';

export type SearchOutcome =
  | { readonly kind: 'page'; readonly page: SearchPage }
  | { readonly kind: 'refused'; readonly code: SearchRefusal };

/** What `/health` tells of the search. */
export interface SearchStatus {
  readonly documents: number;
  /** Entries whose embedding is not made yet. */
  readonly pendingEmbeddings: number;
  /** Name of the embedding provider and its state; `open`: calls are held back after failures. */
  readonly embeddings: {
    readonly provider: string;
    readonly circuit: 'closed' | 'open' | 'probing';
  };
  readonly vectorIndex: 'in process' | 'pgvector';
}

/**
 * Search over the catalog's entries. Ingest costs the entry's own words, not the catalog's size;
 * embeddings are made after `put` has returned.
 */
export interface CatalogSearch {
  /** Adds an entry, or replaces the one with its id. */
  put(document: SearchDocument): Promise<void>;
  /** The counts alone, as they change with each settlement. Unknown ids are passed over. */
  count(id: string, counts: Pick<SearchDocument, 'settlements' | 'uniquePayers'>): Promise<void>;
  remove(id: string): Promise<void>;
  search(request: SearchRequest): Promise<SearchOutcome>;
  status(): SearchStatus;
  /** While entries are still being read in after a start, answers say that they are partial. */
  setLoading(loading: boolean): void;
  /** Resolves when no embedding is pending, or those that are cannot be made now. */
  settled(): Promise<void>;
  /** Makes no more embeddings. */
  stop(): void;
}
