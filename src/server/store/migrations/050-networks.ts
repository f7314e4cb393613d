import type { Migration } from '../migrate.ts';

/**
 * The networks that the service has seen, since testnet begins again a few times a year under the same passphrase.
 * - `networks`: the newest row is the present network. `anchor_ledger` and `anchor_hash` are a closed ledger of it, and
 *   `sponsor_since` the ledger that created the sponsor's account.
 * - `settlements.network`: the network that a settlement was presented on.
 * - `old_network_rows`: rows of the catalog and the policies that belong to a network that no longer exists, as JSON.
 */
export const networks: Migration = {
  name: '050-networks',
  statements: () => [
    `CREATE TABLE networks (
      id BIGINT PRIMARY KEY,
      anchor_ledger BIGINT NOT NULL,
      anchor_hash TEXT NOT NULL,
      sponsor TEXT NOT NULL,
      sponsor_since BIGINT,
      begun_at BIGINT NOT NULL
    )`,
    'ALTER TABLE settlements ADD COLUMN network BIGINT NOT NULL DEFAULT 1',
    `CREATE TABLE old_network_rows (
      network BIGINT NOT NULL,
      origin TEXT NOT NULL,
      row TEXT NOT NULL
    )`,
  ],
};
