import type { Migration } from '../migrate.ts';

/**
 * When entries were paid for, by UTC day. Times are milliseconds since the epoch, days since it.
 * - `catalog_calls`: of each entry and day, its settlements, the payers whose last settlement was on that day,
 *   and the time of the last one. Adding up the payers of the last days gives the different payers of those
 *   days, however many there are.
 * - `catalog_payers.day`: the day of a payer's last settlement; null if it was before this table.
 * - `catalog_entries.calls_since`: from when on its settlements are dated; 0 for all of them.
 */
export const catalogCalls: Migration = {
  name: '014-catalog-calls',
  statements: () => [
    `CREATE TABLE catalog_calls (
      key TEXT NOT NULL,
      day BIGINT NOT NULL,
      calls BIGINT NOT NULL,
      payers BIGINT NOT NULL,
      called_at BIGINT NOT NULL,
      PRIMARY KEY (key, day)
    )`,
    'ALTER TABLE catalog_payers ADD COLUMN day BIGINT',
    'ALTER TABLE catalog_entries ADD COLUMN calls_since BIGINT NOT NULL DEFAULT 0',
    'UPDATE catalog_entries SET calls_since = settled_at + 1',
  ],
};
