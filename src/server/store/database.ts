import type { StoreError } from './storeError.ts';

/** A value bound to a `?`. Booleans are written as 0 and 1, integers are 64 bits wide. */
export type SqlValue = string | number | bigint | boolean | Uint8Array | null;

/**
 * What statements can be run on. The SQL is what SQLite and PostgreSQL share: `?` for parameters,
 * `BIGINT` and `TEXT` columns, `INSERT … ON CONFLICT`, `UPDATE … RETURNING`.
 * Integers come back as `number` where they are safe, else as `bigint`. Rejects with StoreError.
 */
export interface Queryable {
  readonly dialect: Dialect;
  /** The rows of a query, or those that a statement with `RETURNING` gives back. */
  all<Row extends object>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
  /** Runs a statement and tells how many rows it changed. */
  run(sql: string, params?: readonly SqlValue[]): Promise<number>;
}

export type Dialect = 'sqlite' | 'postgres';

/** A place where things are kept across restarts, whichever engine it has. */
export interface Database extends Queryable {
  /**
   * Runs `work` as one step: all of it is kept, or nothing when it throws. On PostgreSQL `work` is
   * run again when another transaction was in its way, so it must do nothing but statements on
   * `within`.
   */
  transaction<T>(work: (within: Queryable) => Promise<T>): Promise<T>;
  /** Why the last change could not be kept; `undefined` while changes are kept. */
  readonly frozen: StoreError | undefined;
  /**
   * A connection for signs of life, which no other statement keeps waiting, with a shorter deadline. Absent where statements
   * never wait for a server.
   */
  readonly lifeline?: Queryable;
  /** Notes beside an embedded store that settlements are kept in it, so that its loss is noticed. */
  noteSettlements?(): void;
  close(): Promise<void>;
}
