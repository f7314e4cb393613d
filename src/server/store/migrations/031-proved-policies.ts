import type { Migration } from '../migrate.ts';

/**
 * Whether a policy's wallet itself asked for it: by its signature, or by an attach on the ledger.
 * What was deployed before this column existed had shown either.
 */
export const provedPolicies: Migration = {
  name: '031-proved-policies',
  statements: () => [
    'ALTER TABLE policies ADD COLUMN proved BIGINT NOT NULL DEFAULT 0',
    "UPDATE policies SET proved = 1 WHERE state IN ('deployed', 'recorded')",
  ],
};
