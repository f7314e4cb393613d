/** The parts of the store that the rest of the service may use. */
export type { Database, Dialect, Queryable, SqlValue } from './database.ts';
export type { Migration } from './migrate.ts';
export { assertSchemaCurrent, openStore, STORE_FILE, type StoreOptions } from './openStore.ts';
export { createRateCounter, type RateCounter } from './rateCounter.ts';
export { StoreError, type StoreErrorCode } from './storeError.ts';
