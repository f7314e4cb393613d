import type { Migration } from '../migrate.ts';

/**
 * Payers' settlements in flight, for instances that share a store.
 * - `awaits_funds`: 1 while the settlement waits for others of its payer and uses none of its funds.
 */
export const payerFunds: Migration = {
  name: '005-payer-funds',
  statements: () => [
    'ALTER TABLE settlements ADD COLUMN awaits_funds INTEGER NOT NULL DEFAULT 0',
    `CREATE INDEX settlements_of_payer ON settlements (payer)
      WHERE state IN ('claimed', 'submitting', 'failed')`,
  ],
};
