import type { SqlValue } from '../database.ts';

/** A prepared statement. Throws what the engine throws; `sqliteError` reads it. */
export interface SqliteStatement {
  /** Rows as plain objects, integers as `number` where they are safe, else as `bigint`. */
  all(params: readonly SqlValue[]): Record<string, unknown>[];
  /** Returns how many rows the statement changed. */
  run(params: readonly SqlValue[]): number;
  /** Releases it. Its last error is not thrown again. */
  discard(): void;
}

/** A connection to one database. Each call is done when it returns. */
export interface SqliteConnection {
  readonly isOpen: boolean;
  /** Runs statements without parameters, and drops their rows. */
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  /** Rolls back the transaction, unless a failed statement has already ended it. */
  rollback(): void;
  close(): void;
}

export type SqliteEngineName = 'node' | 'wasm';

/** A build of SQLite. All of them read and write the same file. */
export interface SqliteEngine {
  readonly name: SqliteEngineName;
  openMemory(): SqliteConnection;
  /**
   * Opens a file, and creates it readable by its owner alone when it is missing.
   * @param mayWrite whether this process still has the right to write to the file, closing included
   */
  openFile(file: string, mayWrite: () => boolean): SqliteConnection;
}

/** Makes integers what callers expect: a number where that is exact. */
export function exactNumber(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
