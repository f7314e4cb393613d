import type { SqlValue } from '../database.ts';

/** A prepared statement. Throws the engine's errors; `sqliteError` reads them. */
export interface SqliteStatement {
  /** Rows as plain objects, integers as `number` where they are safe, else as `bigint`. */
  all(params: readonly SqlValue[]): Record<string, unknown>[];
  /** Returns the number of changed rows. */
  run(params: readonly SqlValue[]): number;
  /** Releases the statement, without throwing its last error again. */
  discard(): void;
}

/** A connection to one database. All calls are synchronous. */
export interface SqliteConnection {
  readonly isOpen: boolean;
  /** Runs statements without parameters, and discards their rows. */
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  /** Rolls back the transaction, unless a failed statement has already ended it. */
  rollback(): void;
  close(): void;
}

export type SqliteEngineName = 'node' | 'wasm';

/** A build of SQLite. All builds read and write the same files. */
export interface SqliteEngine {
  readonly name: SqliteEngineName;
  openMemory(): SqliteConnection;
  /**
   * Opens a file; creates a missing one that only its owner can read.
   * @param mayWrite whether this process still has the right to write to the file, closing included
   */
  openFile(file: string, mayWrite: () => boolean): SqliteConnection;
}

/** Converts integers to numbers if that is exact. */
export function exactNumber(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
