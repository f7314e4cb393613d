import type { Migration } from '../migrate.ts';

/**
 * Indexes of settlements without the rows that nobody looks up through them. Each write that touches an index writes a page
 * to the disk, and every claim touched three for nothing: a claim has no hash yet and seldom a payment identifier, and its
 * age matters only once it is finished.
 */
export const fewerIndexWrites: Migration = {
  name: '007-fewer-index-writes',
  statements: () => [
    'DROP INDEX settlements_age',
    `CREATE INDEX settlements_finished ON settlements (updated_at)
      WHERE state IN ('settled', 'failed', 'never_sent')`,
    'DROP INDEX settlements_hash',
    'CREATE INDEX settlements_sent ON settlements (hash) WHERE hash IS NOT NULL',
    'DROP INDEX settlements_payment_id',
    `CREATE UNIQUE INDEX settlements_of_payment_id ON settlements (payer, payment_id)
      WHERE payment_id IS NOT NULL`,
  ],
};
