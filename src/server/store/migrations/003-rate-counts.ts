import type { Migration } from '../migrate.ts';

/** Requests counted by key and window. Nothing is lost with them, so PostgreSQL need not log them. */
export const rateCounts: Migration = {
  name: '003-rate-counts',
  statements: (dialect) => [
    `CREATE ${dialect === 'postgres' ? 'UNLOGGED ' : ''}TABLE rate_counts (
      key TEXT NOT NULL,
      window_start BIGINT NOT NULL,
      count BIGINT NOT NULL,
      PRIMARY KEY (key, window_start)
    )`,
  ],
};
