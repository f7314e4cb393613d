/** The catalog, for the service and its HTTP interface. */
export { type CatalogBounds, DEFAULT_BOUNDS } from './bounds.ts';
export {
  type Catalog,
  type CatalogParts,
  type CatalogStatus,
  openCatalog,
} from './catalog.ts';
export type { Declared } from './declaration/readDeclaration.ts';
export type { CatalogEntry, EntryFilters } from './entry.ts';
export {
  OPERATOR_ACTIONS,
  type Operation,
  readTarget,
} from './operator/index.ts';
export type { OwnershipFetch } from './ownership/fetchChallenge.ts';
export { ORDERS, type Order } from './records/readEntries.ts';
