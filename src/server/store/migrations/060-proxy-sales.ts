import type { Migration } from '../migrate.ts';

/**
 * The sales of a proxy. A row is an authorization that was presented to it.
 * - `request`: digest of the payment's bytes and of the request that it is for.
 * - `state`: new → held (its settlement may have been asked for) → paid → gone (delivered, and not kept).
 * - `claimed_by`, `claimed_until`: the process that serves it now, in milliseconds since the epoch.
 * - `head`, `body`, `file`: the response; a long body is in a file of this name.
 */
export const proxySales: Migration = {
  name: '060-proxy-sales',
  statements: (dialect) => [
    `CREATE TABLE proxy_sales (
      key TEXT PRIMARY KEY,
      request TEXT NOT NULL,
      state TEXT NOT NULL,
      claimed_by TEXT,
      claimed_until BIGINT NOT NULL,
      head TEXT,
      body ${dialect === 'sqlite' ? 'BLOB' : 'BYTEA'},
      file TEXT,
      bytes BIGINT NOT NULL,
      receipt TEXT,
      created_at BIGINT NOT NULL
    )`,
    'CREATE INDEX proxy_sales_age ON proxy_sales (created_at)',
  ],
};
