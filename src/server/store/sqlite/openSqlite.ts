import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { FileLock } from '../../../machine/index.ts';
import type { Database } from '../database.ts';
import { StoreError } from '../storeError.ts';
import { sqliteDatabase } from './sqliteDatabase.ts';
import { sqliteError } from './sqliteError.ts';

/** Files up to this size are checked page by page at each start: some milliseconds a megabyte. */
const CHECKED_BYTES = 32 * 1024 * 1024;

/** The library is 1.3 MB of WebAssembly: it is loaded when a store is opened, not before. */
async function library() {
  return (await import('node-sqlite3-wasm')).default;
}

/** A database in memory, which ends with the process. */
export async function openSqliteMemory(): Promise<Database> {
  const { Database: Connection } = await library();
  return sqliteDatabase(new Connection());
}

/** Beside a file that settlements were kept in: without it, nobody could tell a lost store from a new one. */
const markOf = (file: string): string => `${file}.settled`;

/** @throws StoreError `corrupt` when the file is gone or empty, though settlements were kept in it */
function requireNotLost(file: string): void {
  const mark = markOf(file);
  if (sizeOf(file) > 0 || !existsSync(mark)) return;
  const what = existsSync(file) ? 'is empty' : 'is missing';
  throw new StoreError(
    'corrupt',
    `${file} ${what}, though settlements were kept in it: restore it from a backup, or delete ${mark} to begin with an empty store`,
  );
}

/** Writes the mark once. */
function marker(file: string): () => void {
  let marked = false;
  return () => {
    if (marked) return;
    writeFileSync(markOf(file), '', { mode: 0o600 });
    marked = true;
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Opens a database file, and creates it when there is none. One process has it at a time; the lock
 * of one that was killed is adopted.
 *
 * The journal is a write-ahead log without shared memory (which the library does not have, and one
 * process does not need). What is committed is with the operating system, so no end of the process
 * takes it away; `fsync` comes with each checkpoint, so a failure of power can take the last
 * commits, never the file.
 * @throws StoreError `in_use`, `read_only`, `full` or `corrupt`; the file is then as it was
 */
export async function openSqliteFile(file: string): Promise<Database> {
  const { Database: Connection } = await library();
  let lock: FileLock | undefined;
  try {
    lock = await FileLock.acquire(`${file}.owner`);
    // The library's own lock, a folder too, stays when its process is killed.
    rmSync(`${file}.lock`, { recursive: true, force: true });
    requireNotLost(file);
    const connection = new Connection(file);
    try {
      // Exclusive first: only then does the write-ahead log do without shared memory.
      connection.exec('PRAGMA locking_mode = EXCLUSIVE');
      if (sizeOf(file) > 0 && sizeOf(file) <= CHECKED_BYTES) {
        const [found] = connection.all('PRAGMA quick_check(1)');
        const verdict = Object.values(found ?? {})[0];
        if (verdict !== 'ok') throw new StoreError('corrupt', `the file is damaged: ${verdict}`);
      }
      connection.get('PRAGMA journal_mode = WAL');
      connection.exec('PRAGMA synchronous = NORMAL');
    } catch (error) {
      connection.close();
      throw error;
    }
    return sqliteDatabase(connection, { lock, noteSettlements: marker(file) });
  } catch (error) {
    lock?.release();
    throw sqliteError(error);
  }
}
