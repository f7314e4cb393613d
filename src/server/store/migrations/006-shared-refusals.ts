import type { Migration } from '../migrate.ts';

/**
 * What an instance has just refused before anything was submitted, for the instances that share a
 * store. One row an authorization, kept for as long as a request may take.
 * - `told`: the refusal, as JSON.
 * - `refused_at`: milliseconds by the database's clock.
 */
export const sharedRefusals: Migration = {
  name: '006-shared-refusals',
  statements: () => [
    `CREATE TABLE refusals (
      authorization_key TEXT PRIMARY KEY,
      digest TEXT NOT NULL,
      told TEXT NOT NULL,
      refused_at BIGINT NOT NULL)`,
    'CREATE INDEX refusals_by_time ON refusals (refused_at)',
  ],
};
