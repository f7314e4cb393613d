import type { Migration } from '../migrate.ts';

/**
 * Whose recipients an origin's own challenges name: `verified_since` without a break, `verified_at`
 * last. Times are milliseconds since the epoch. Entries that were verified before this table existed
 * start their time now.
 */
export const catalogOrigins: Migration = {
  name: '011-catalog-origins',
  statements: () => [
    `CREATE TABLE catalog_origins (
      origin TEXT NOT NULL,
      pay_to TEXT NOT NULL,
      verified_since BIGINT NOT NULL,
      verified_at BIGINT NOT NULL,
      PRIMARY KEY (origin, pay_to)
    )`,
    `INSERT INTO catalog_origins (origin, pay_to, verified_since, verified_at)
     SELECT origin, pay_to, MAX(COALESCE(owner_checked_at, settled_at)),
       MAX(COALESCE(owner_checked_at, settled_at))
     FROM catalog_entries WHERE listed = 1 AND owner_state = 'verified' GROUP BY origin, pay_to`,
  ],
};
