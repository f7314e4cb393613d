import type { Migration } from '../migrate.ts';

/**
 * What an instance has just refused before anything was submitted, for the instances that share a
 * store. One row an authorization, kept for as long as a request may take.
 * - `told`: the refusal, as JSON.
 * - `instance`: which one refused.
 * - `first_at`, `refused_at`: when the first and the last instance refused it so, in milliseconds by
 *   the database's clock.
 */
export const sharedRefusals: Migration = {
  name: '006-shared-refusals',
  statements: () => [
    `CREATE TABLE refusals (
      authorization_key TEXT PRIMARY KEY,
      digest TEXT NOT NULL,
      told TEXT NOT NULL,
      instance TEXT NOT NULL,
      first_at BIGINT NOT NULL,
      refused_at BIGINT NOT NULL)`,
    'CREATE INDEX refusals_by_time ON refusals (refused_at)',
  ],
};
