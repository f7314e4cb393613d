import type { StoreError } from './storeError.ts';

/** A value bound to a `?`. Booleans are written as 0 and 1, integers are 64 bits wide. */
export type SqlValue = string | number | bigint | boolean | Uint8Array | null;

/**
 * Runs statements. The SQL is the common subset of SQLite and PostgreSQL: `?` for parameters,
 * `BIGINT` and `TEXT` columns, `INSERT … ON CONFLICT`, `UPDATE … RETURNING`.
 * Integers are returned as `number` if they are safe, otherwise as `bigint`. Rejects with StoreError.
 */
export interface Queryable {
  readonly dialect: Dialect;
  /** Returns the rows of a query, or of a statement with `RETURNING`. */
  all<Row extends object>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
  /** Runs a statement and returns how many rows it changed. */
  run(sql: string, params?: readonly SqlValue[]): Promise<number>;
}

export type Dialect = 'sqlite' | 'postgres';

/** Storage across restarts, with either engine. */
export interface Database extends Queryable {
  /**
   * Runs `work` in one transaction: all of it is stored, or nothing if it throws. On PostgreSQL, `work` is
   * run again after a conflict with another transaction, so it must do nothing but run statements on
   * `within`.
   */
  transaction<T>(work: (within: Queryable) => Promise<T>): Promise<T>;
  /** Why the last change could not be stored; `undefined` while changes are stored. */
  readonly frozen: StoreError | undefined;
  /**
   * A connection for heartbeats, which no other statement delays, with a shorter deadline. Absent if statements never
   * wait for a server.
   */
  readonly lifeline?: Queryable;
  /** Writes a mark next to an embedded store that it contains settlements, so that its loss is detected. */
  noteSettlements?(): void;
  close(): Promise<void>;
}
