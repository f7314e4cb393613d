import type { Migration } from '../migrate.ts';

/**
 * For whose calls the sponsor spends, so that one caller's spending never closes another's: the key of the client that asked
 * for a settlement or a deployment. `NULL` for callers in the process itself and in rows of earlier versions.
 * - `policy_upkeep`: each time the sponsor paid to keep a policy's entries alive, or for another attempt to deploy it.
 */
export const clients: Migration = {
  name: '040-clients',
  statements: () => [
    'ALTER TABLE settlements ADD COLUMN client TEXT',
    'ALTER TABLE policies ADD COLUMN begun_for TEXT',
    `CREATE TABLE policy_upkeep (
      policy TEXT NOT NULL,
      wallet TEXT NOT NULL,
      client TEXT,
      begun_at BIGINT NOT NULL
    )`,
    'CREATE INDEX policy_upkeep_age ON policy_upkeep (begun_at)',
  ],
};
