import type { Migration } from '../migrate.ts';

/**
 * `catalog_entries.protocols`: the protocols in which the last ownership check saw the entry's URL ask for payment to its
 * recipient, each between bars: `|x402||mpp|`. Empty if no check has seen any, as for all entries from before this column: the
 * next check of each fills it.
 */
export const catalogProtocols: Migration = {
  name: '016-catalog-protocols',
  statements: () => ["ALTER TABLE catalog_entries ADD COLUMN protocols TEXT NOT NULL DEFAULT ''"],
};
