import type { Migration } from '../migrate.ts';

/**
 * The catalog. Times are milliseconds since the epoch.
 * - `catalog_entries`: one row a resource, which is also its binding. `listed` 0 is a tombstone: the
 *   entry has gone, `pay_to` still owns the key, and its counts are kept. `sequence` is the place in
 *   the order of first listings. `owner_state`: unchecked → pending → verified | unverifiable.
 *   `owner_words` 1: the document is the owner's own challenge, which payments do not change.
 * - `catalog_options`: what an entry accepts. `amount_order` sorts as text as the amount does.
 * - `catalog_payers`: who paid for an entry, for the count of them. They stay as long as the entry or its
 *   tombstone does: a payer who comes back after years must not count twice.
 * - `catalog_settlements`: what became of each settlement of the last 30 days, so that none counts twice.
 * - `catalog_sellers`, `catalog_totals`: entries and bytes in use. A transaction that adds an entry locks
 *   the one row of totals, so that two of them cannot take the same key or the last free space.
 */
export const catalog: Migration = {
  name: '010-catalog',
  statements: () => [
    `CREATE TABLE catalog_entries (
      key TEXT PRIMARY KEY,
      sequence BIGINT NOT NULL UNIQUE,
      url_key TEXT NOT NULL,
      origin TEXT NOT NULL,
      depth BIGINT NOT NULL,
      templated BIGINT NOT NULL,
      pay_to TEXT NOT NULL,
      listed BIGINT NOT NULL,
      type TEXT NOT NULL,
      extension_names TEXT NOT NULL,
      document TEXT NOT NULL,
      bytes BIGINT NOT NULL,
      settlements BIGINT NOT NULL,
      unique_payers BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      settled_at BIGINT NOT NULL,
      owner_state TEXT NOT NULL,
      owner_failure TEXT,
      owner_checked_at BIGINT,
      owner_words BIGINT NOT NULL,
      local_check BIGINT
    )`,
    'CREATE INDEX catalog_entries_listed ON catalog_entries (sequence) WHERE listed = 1',
    'CREATE INDEX catalog_entries_seller ON catalog_entries (pay_to, listed, sequence)',
    'CREATE INDEX catalog_entries_url ON catalog_entries (url_key)',
    'CREATE INDEX catalog_entries_origin ON catalog_entries (origin, depth, templated)',
    `CREATE INDEX catalog_entries_stale ON catalog_entries (settled_at)
      WHERE listed = 1 AND owner_state <> 'verified'`,
    'CREATE INDEX catalog_entries_settled ON catalog_entries (settled_at) WHERE listed = 1',
    'CREATE INDEX catalog_entries_owner ON catalog_entries (owner_state, settled_at) WHERE listed = 1',
    `CREATE TABLE catalog_options (
      key TEXT NOT NULL,
      scheme TEXT NOT NULL,
      network TEXT NOT NULL,
      asset TEXT NOT NULL,
      amount_order TEXT NOT NULL,
      document TEXT NOT NULL,
      updated_at BIGINT NOT NULL,
      PRIMARY KEY (key, scheme, network, asset)
    )`,
    'CREATE INDEX catalog_options_asset ON catalog_options (asset, amount_order)',
    `CREATE TABLE catalog_payers (
      key TEXT NOT NULL,
      payer TEXT NOT NULL,
      PRIMARY KEY (key, payer)
    )`,
    `CREATE TABLE catalog_settlements (
      hash TEXT PRIMARY KEY,
      outcome TEXT NOT NULL,
      settled_at BIGINT NOT NULL
    )`,
    'CREATE INDEX catalog_settlements_age ON catalog_settlements (settled_at)',
    `CREATE TABLE catalog_sellers (
      pay_to TEXT PRIMARY KEY,
      entries BIGINT NOT NULL,
      bytes BIGINT NOT NULL
    )`,
    `CREATE TABLE catalog_totals (
      id BIGINT PRIMARY KEY,
      next_sequence BIGINT NOT NULL,
      entries BIGINT NOT NULL,
      bytes BIGINT NOT NULL
    )`,
    'INSERT INTO catalog_totals (id, next_sequence, entries, bytes) VALUES (1, 1, 0, 0)',
  ],
};
