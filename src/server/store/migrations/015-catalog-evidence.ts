import type { Migration } from '../migrate.ts';

/**
 * What payments say about an entry.
 * - `catalog_payers.paid`: what a payer paid for the entry in all, in atomic units of USDC; `first_at`, `last_at`: when, in
 *   milliseconds since the epoch. Null, and nothing paid, for payers from before these columns.
 * - `catalog_entries.evidence`: the weights of its payers added up, in thousandths of a payer who pays much for a month. Earlier
 *   payers have the weight of a new one, which is 1.
 */
export const catalogEvidence: Migration = {
  name: '015-catalog-evidence',
  statements: () => [
    'ALTER TABLE catalog_payers ADD COLUMN paid BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE catalog_payers ADD COLUMN first_at BIGINT',
    'ALTER TABLE catalog_payers ADD COLUMN last_at BIGINT',
    'ALTER TABLE catalog_entries ADD COLUMN evidence BIGINT NOT NULL DEFAULT 0',
    'UPDATE catalog_entries SET evidence = unique_payers',
  ],
};
