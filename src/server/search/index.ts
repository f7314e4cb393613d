/** Search over the catalog: what the catalog and its endpoints use. */
export type {
  CatalogSearch,
  SearchHit,
  SearchOutcome,
  SearchPage,
  SearchRefusal,
  SearchRequest,
  SearchStatus,
} from './catalogSearch.ts';
export type { FilterFields, SearchDocument, SearchFilters } from './searchDocument.ts';
