import type { Migration } from '../migrate.ts';

/**
 * The settlement journal. A row is an authorization that is being settled or was submitted.
 * - `authorization_key`: payer and nonce; `NULL` once it is certain that nothing was submitted,
 *   so that the payer may present it again.
 * - `state`: claimed → submitting → settled | failed | never_sent.
 * - `answer`: held (a caller of the instance `held_by` waits) → owed (not delivered) → given.
 * - `catalog`: none → due → done.
 */
export const settlements: Migration = {
  name: '001-settlements',
  statements: () => [
    `CREATE TABLE settlements (
      id TEXT PRIMARY KEY,
      authorization_key TEXT UNIQUE,
      digest TEXT NOT NULL,
      instance TEXT NOT NULL,
      state TEXT NOT NULL,
      answer TEXT NOT NULL,
      held_by TEXT,
      catalog TEXT NOT NULL,
      request TEXT,
      expiration_ledger BIGINT NOT NULL,
      worst_fee BIGINT NOT NULL,
      channel TEXT,
      sequence BIGINT,
      hash TEXT,
      last_ledger BIGINT,
      envelope TEXT,
      ledger BIGINT,
      fee_charged BIGINT,
      detail TEXT,
      extensions TEXT,
      claimed_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL
    )`,
    `CREATE INDEX settlements_open ON settlements (instance)
      WHERE state IN ('claimed', 'submitting') OR answer = 'held' OR catalog = 'due'`,
    'CREATE INDEX settlements_age ON settlements (updated_at)',
    'CREATE INDEX settlements_hash ON settlements (hash)',
  ],
};
