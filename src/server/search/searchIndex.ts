import type { QueryKey } from './lexical/queryKeys.ts';
import type { WordEvidence } from './lexical/wordEvidence.ts';
import type { Likeness } from './ranking/likeness.ts';
import type { Counts, SearchDocument, SearchFilters } from './searchDocument.ts';

/** An entry in a ranking, with the values that break ties and group entries. */
export interface RankedEntry {
  readonly id: string;
  readonly sequence: number;
  readonly popularity: number;
  readonly standing: number;
  /** Numbers of the groups of its recipient and of its origin. */
  readonly seller: number;
  readonly origin: number;
  /** Null while it has no embedding. */
  readonly likeness: Likeness | null;
}

/** Breaks ties: standing, then settlements × 2 + unique payers, then the older listing (spec: Ranking; decision 0114). */
export const tieBefore = (a: RankedEntry, b: RankedEntry): boolean =>
  a.standing !== b.standing
    ? a.standing > b.standing
    : a.popularity === b.popularity
      ? a.sequence < b.sequence
      : a.popularity > b.popularity;

/** The entries that a ranking includes. */
export interface Scope {
  readonly filters: SearchFilters;
  /** Entries with a higher sequence are left out. */
  readonly asOf: number;
  /** Maximum number of entries. */
  readonly depth: number;
}

/** An entry that a stage found, with its score there: points by words, or a cosine. */
export interface FoundEntry extends RankedEntry {
  readonly score: number;
}

/** An entry that the lexical stage found, and the evidence in its points. */
export interface FoundByWords extends FoundEntry {
  readonly evidence: WordEvidence;
}

/** Stores entries and ranks them by each stage: in this process, or in a database. */
export interface SearchIndex {
  /** Adds or replaces an entry. Returns true if it needs a (new) embedding. */
  put(document: SearchDocument): Promise<boolean>;
  count(id: string, counts: Counts): Promise<void>;
  remove(id: string): Promise<void>;
  /** Sets an entry's embedding; ignored if the entry is gone. */
  setVector(id: string, vector: Float32Array): Promise<void>;
  /** Number of entries known to this process. */
  readonly size: number;
  /** The highest sequence assigned so far. */
  newest(): Promise<number>;
  /** Best first. */
  lexical(keys: readonly QueryKey[], scope: Scope): Promise<readonly FoundByWords[]>;
  /** Returns the entries nearest to a vector, with a cosine of at least `floor`. */
  nearest(vector: Float32Array, floor: number, scope: Scope): Promise<readonly FoundEntry[]>;
  readonly vectorIndex: 'in process' | 'pgvector';
}
