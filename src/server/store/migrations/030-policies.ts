import type { Migration } from '../migrate.ts';

/**
 * Policies of the gateway. `state`: generated → deploying → deployed → recorded. `artifacts` is what
 * was generated, as JSON. `deploy_tx` is written before the transaction is sent. Times are
 * milliseconds since the epoch.
 */
export const policies: Migration = {
  name: '030-policies',
  statements: () => [
    `CREATE TABLE policies (
      id TEXT PRIMARY KEY,
      wallet TEXT NOT NULL,
      state TEXT NOT NULL,
      artifacts TEXT NOT NULL,
      deploy_tx TEXT,
      attach_tx TEXT,
      begun_at BIGINT,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL
    )`,
    'CREATE INDEX policies_wallet ON policies (wallet, begun_at)',
    'CREATE INDEX policies_state ON policies (state, created_at)',
  ],
};
