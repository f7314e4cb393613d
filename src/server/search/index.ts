/** Search over the catalog: what the catalog and its endpoints use. */
export type {
  CatalogSearch,
  Narrowing,
  SearchHit,
  SearchOutcome,
  SearchPage,
  SearchRefusal,
  SearchRequest,
  SearchStatus,
} from './catalogSearch.ts';
export { type CatalogSearchOptions, createCatalogSearch } from './createCatalogSearch.ts';
export { type BlockReader, type IndexFile, KeptDamaged } from './kept/indexFile.ts';
export type { Match } from './match/explainMatch.ts';
export {
  type EmbeddingSettings,
  type OpenSearchOptions,
  openCatalogSearch,
} from './openCatalogSearch.ts';
export {
  type FilterFields,
  MAX_STANDING,
  type SearchDocument,
  type SearchFilters,
} from './searchDocument.ts';
export type { EmbeddingCache } from './semantic/embeddingCache.ts';
export type { EmbeddingProvider } from './semantic/embeddingProvider.ts';
