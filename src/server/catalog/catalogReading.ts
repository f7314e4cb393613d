import type {
  CatalogSearch,
  Match,
  Narrowing,
  SearchFilters,
  SearchOutcome,
} from '../search/index.ts';
import type { CatalogEntry, EntryFilters } from './entry.ts';
import { type Facets, readFacets } from './records/facets.ts';
import {
  countEntries,
  type EntrySource,
  matchingKeys,
  readByKeys,
  readSlice,
  type Slice,
} from './records/readEntries.ts';
import { searchTexts } from './searchDocument.ts';

export interface EntryPage {
  readonly entries: readonly CatalogEntry[];
  readonly total: number;
}

export interface SearchQuestion {
  readonly query: string;
  readonly filters: SearchFilters;
  /** Filters that the search itself cannot apply; they narrow its ranking. */
  readonly narrowing: EntryFilters;
  readonly limit: number;
  readonly cursor: string | null;
}

export type SearchAnswer =
  | {
      readonly kind: 'page';
      /** Best first, each with the reason why it was found. */
      readonly hits: readonly {
        readonly entry: CatalogEntry;
        readonly match: Match;
        /** Number of nearly equal entries of the same seller that it represents. */
        readonly moreBySeller: number;
      }[];
      readonly cursor: string | null;
      readonly partialResults: boolean;
      /** Whether the search compared meanings or only words. */
      readonly semantic: boolean;
    }
  | Extract<SearchOutcome, { kind: 'refused' }>;

/** Queries of the catalog's entries. */
export interface CatalogReading {
  list(filters: EntryFilters, slice: Slice): Promise<EntryPage>;
  search(question: SearchQuestion): Promise<SearchAnswer>;
  facets(filters: EntryFilters): Promise<Facets & { readonly total: number }>;
}

function narrowingBy(source: EntrySource, filters: EntryFilters): Narrowing | undefined {
  const given = Object.entries(filters);
  if (given.length === 0) return undefined;
  return {
    name: given
      .map(([name, value]) => `${name}=${value}`)
      .sort()
      .join('&'),
    keep: (ids) => matchingKeys(source, ids, filters),
  };
}

/** Reads entries from the store: pages, search results and facets. */
export function createReading(source: EntrySource, search: CatalogSearch): CatalogReading {
  return {
    async list(filters, slice) {
      const entries = await readSlice(source, filters, slice);
      return { entries, total: await countEntries(source, filters) };
    },
    async search({ narrowing, ...question }) {
      const narrow = narrowingBy(source, narrowing);
      const outcome = await search.search({ ...question, ...(narrow && { narrow }) });
      if (outcome.kind === 'refused') return outcome;
      const { hits, cursor, partialResults, semantic } = outcome.page;
      const found = new Map(hits.map((hit) => [hit.id, hit]));
      const explain = search.explain(question.query);
      const entries = await readByKeys(source, [...found.keys()]);
      return {
        kind: 'page',
        hits: entries.map((entry) => {
          const { nearness = null, moreBySeller = 0 } = found.get(entry.listing.key) ?? {};
          return { entry, match: explain(searchTexts(entry), nearness), moreBySeller };
        }),
        cursor,
        partialResults,
        semantic,
      };
    },
    async facets(filters) {
      const facets = await readFacets(source, filters);
      return { ...facets, total: await countEntries(source, filters) };
    },
  };
}
