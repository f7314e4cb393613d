import { createHash } from 'node:crypto';

/** The search's view of a cataloged resource: its texts, its trust counts, its filter values. */
export interface SearchDocument {
  /** The entry's key in the catalog; unique. */
  readonly id: string;
  /**
   * The position of the entry's first listing in the order of all first listings: unique, never reused,
   * kept when the entry is updated and across restarts. Cursors depend on it, and it is the last tie break
   * (the older listing first). Below 2^53.
   */
  readonly sequence: number;
  /** The resource as listed: a URL, or a tool's name. */
  readonly url: string;
  readonly serviceName: string | null;
  readonly tags: readonly string[];
  readonly description: string | null;
  /** Names and descriptions of inputs and outputs, as words. Only the semantic stage reads it. */
  readonly schemaText: string;
  readonly settlements: number;
  readonly uniquePayers: number;
  /** What is known of the entry besides its words, from payments and its owner: whole numbers from 0 to `MAX_STANDING`. */
  readonly standing: number;
  /** Equal for entries of one recipient, and for entries of one origin. */
  readonly seller: string;
  readonly origin: string;
  readonly fields: FilterFields;
}

/** The greatest standing of an entry. */
export const MAX_STANDING = 1_000;

/** The values of an entry that change with settlements. */
export type Counts = Pick<SearchDocument, 'settlements' | 'uniquePayers' | 'standing'>;

/** Returns a number for the name of a group of entries, so that an index stores numbers; equal names have equal numbers. */
export function groupNumber(name: string): number {
  return createHash('sha256').update(name).digest().readUIntBE(0, 6);
}

/** The values by which an entry can be filtered. A filter matches if it is one of the entry's values. */
export interface FilterFields {
  readonly type: string;
  readonly payTo: readonly string[];
  readonly scheme: readonly string[];
  readonly network: readonly string[];
  readonly extensions: readonly string[];
}

/** All of these filters have to match (spec: GET /discovery/search). */
export type SearchFilters = {
  readonly [name in keyof FilterFields]?: string | readonly string[];
};

/** Counts that order entries of the same rank: settlements × 2 + unique payers (spec: Ranking). */
export function popularity(counts: Pick<SearchDocument, 'settlements' | 'uniquePayers'>): number {
  return counts.settlements * 2 + counts.uniquePayers;
}
