import type { Migration } from '../migrate.ts';

/**
 * The terms of a settlement, for later lookups, and how far back a history must reach to prove
 * anything about it. `NULL` in rows that are older than this step.
 * - `sent_after`: a ledger that was closed before the transaction was sent.
 * - `payment_id`: the buyer's identifier of the sale (extension `payment-identifier`); each payer can
 *   use an identifier once. `NULL` again if nothing was paid under it.
 */
export const settlementTerms: Migration = {
  name: '004-settlement-terms',
  statements: () => [
    'ALTER TABLE settlements ADD COLUMN payer TEXT',
    'ALTER TABLE settlements ADD COLUMN pay_to TEXT',
    'ALTER TABLE settlements ADD COLUMN asset TEXT',
    'ALTER TABLE settlements ADD COLUMN amount TEXT',
    'ALTER TABLE settlements ADD COLUMN sent_after BIGINT',
    'ALTER TABLE settlements ADD COLUMN payment_id TEXT',
    'CREATE UNIQUE INDEX settlements_payment_id ON settlements (payer, payment_id)',
  ],
};
