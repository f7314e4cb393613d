import type { Migration } from '../migrate.ts';

/**
 * Instances that share a store, their channels, and who waits for one. Times are milliseconds since
 * the epoch. `fence` grows with each lease, so that a lease that was lost cannot be used.
 */
export const instances: Migration = {
  name: '002-instances',
  statements: (dialect) => [
    `CREATE TABLE instances (
      id TEXT PRIMARY KEY,
      expires_at BIGINT NOT NULL
    )`,
    `CREATE TABLE channels (
      address TEXT PRIMARY KEY,
      pool TEXT NOT NULL,
      holder TEXT,
      fence BIGINT NOT NULL,
      sequence BIGINT,
      as_of_ledger BIGINT NOT NULL,
      freed_at BIGINT NOT NULL
    )`,
    'CREATE INDEX channels_free ON channels (pool, freed_at) WHERE holder IS NULL',
    `CREATE TABLE channel_waits (
      ticket ${dialect === 'sqlite' ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'BIGSERIAL PRIMARY KEY'},
      pool TEXT NOT NULL,
      instance TEXT NOT NULL,
      expires_at BIGINT NOT NULL
    )`,
  ],
};
