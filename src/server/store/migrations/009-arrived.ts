import type { Migration } from '../migrate.ts';

/**
 * What arrived at the recipient, if the settlement's transaction succeeded and shows another amount than that of the payment.
 * `NULL` otherwise, and for settlements of earlier versions.
 */
export const arrived: Migration = {
  name: '009-arrived',
  statements: () => ['ALTER TABLE settlements ADD COLUMN arrived TEXT'],
};
