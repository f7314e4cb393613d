import type { Migration } from '../migrate.ts';

/**
 * The operator's rules, and the operator's actions in order. Times are milliseconds since the epoch;
 * `removed` counts the entries that an action removed from the list.
 */
export const catalogRules: Migration = {
  name: '012-catalog-rules',
  statements: () => [
    `CREATE TABLE catalog_rules (
      kind TEXT NOT NULL,
      value TEXT NOT NULL,
      reason TEXT NOT NULL,
      made_at BIGINT NOT NULL,
      PRIMARY KEY (kind, value)
    )`,
    `CREATE TABLE catalog_journal (
      id BIGINT PRIMARY KEY,
      made_at BIGINT NOT NULL,
      action TEXT NOT NULL,
      kind TEXT NOT NULL,
      value TEXT NOT NULL,
      reason TEXT NOT NULL,
      removed BIGINT NOT NULL
    )`,
  ],
};
