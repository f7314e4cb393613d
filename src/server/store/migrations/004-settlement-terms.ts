import type { Migration } from '../migrate.ts';

/**
 * What a settlement was about, for whoever asks about it later, and how far back a history must
 * reach to prove anything about it. `NULL` in rows that are older than this step.
 * - `sent_after`: a ledger that was closed before the transaction was handed over.
 * - `payment_id`: what the buyer calls the sale (extension `payment-identifier`); each payer has an
 *   identifier once. `NULL` again when nothing was paid under it.
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
