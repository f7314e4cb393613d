import type { Migration } from '../migrate.ts';

/**
 * The transaction that paid an authorization whose own transaction here did not: another facilitator's, the seller's, or
 * one of an earlier journal of this service. `NULL` if none is known.
 */
export const paidElsewhere: Migration = {
  name: '008-paid-elsewhere',
  statements: () => [
    'ALTER TABLE settlements ADD COLUMN paid_hash TEXT',
    'ALTER TABLE settlements ADD COLUMN paid_ledger BIGINT',
  ],
};
