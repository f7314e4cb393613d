import { open } from 'node:fs/promises';
import { FileLock, LockError } from '../../../machine/index.ts';
import type { Database } from '../database.ts';
import { StoreError } from '../storeError.ts';
import { marker, requireNotLost, requireWholePages, sizeOf } from './lostFile.ts';
import { nodeEngine } from './nodeEngine.ts';
import { sqliteDatabase } from './sqliteDatabase.ts';
import type { SqliteConnection, SqliteEngine, SqliteEngineName } from './sqliteEngine.ts';
import { sqliteError } from './sqliteError.ts';
import { wasmEngine } from './wasmEngine.ts';

/** Files up to this size are checked page by page at each start: some milliseconds a megabyte. */
const CHECKED_BYTES = 32 * 1024 * 1024;

/** Pages in the log after which a write makes a checkpoint by itself: 16 MB, about 200 settlements. */
const LOG_PAGES = 4_000;

/** Returns Node's own SQLite, which is several times faster, or else the one in WebAssembly. */
async function chooseEngine(name: SqliteEngineName | undefined): Promise<SqliteEngine> {
  const ofNode = name === 'wasm' ? undefined : nodeEngine();
  if (ofNode === undefined && name === 'node') {
    throw new StoreError('failed', `Node ${process.version} does not have node:sqlite`);
  }
  return ofNode ?? (await wasmEngine());
}

/**
 * Opens a database in memory, which is lost when the process ends.
 * @param engine for suites that run on each of them
 */
export async function openSqliteMemory(engine?: SqliteEngineName): Promise<Database> {
  return sqliteDatabase((await chooseEngine(engine)).openMemory());
}

/**
 * Opens a database file, and creates it if it is missing. One process has it at a time; the lock of a
 * killed process is adopted.
 *
 * The journal is a write-ahead log without shared memory (which the engine in WebAssembly does not have, and one
 * process does not need). The operating system has everything that is committed, so the end of the process
 * loses nothing; the log is brought to the disk two seconds after a write, so a power failure can lose
 * the commits of the last two seconds, but never the file.
 * @param engine for suites that run on each of them
 * @throws StoreError `in_use`, `read_only`, `full` or `corrupt`; the file is unchanged in that case
 */
export async function openSqliteFile(file: string, engine?: SqliteEngineName): Promise<Database> {
  const { openFile } = await chooseEngine(engine);
  let lock: FileLock | undefined;
  try {
    const held = await FileLock.acquire(`${file}.owner`);
    lock = held;
    requireNotLost(file);
    requireWholePages(file);
    const connection = openFile(file, () => held.held);
    try {
      prepareFile(connection, file);
    } catch (error) {
      connection.close();
      throw error;
    }
    const flushLog = () => flush(`${file}-wal`);
    return sqliteDatabase(connection, { lock, flushLog, noteSettlements: marker(file) });
  } catch (error) {
    lock?.release();
    throw openingError(file, error);
  }
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function openingError(file: string, cause: unknown): StoreError {
  const error = sqliteError(cause);
  if (error.code !== 'in_use' || cause instanceof LockError) return error;
  // A suspended process loses our lock by its silence, but keeps the operating system's.
  return new StoreError(
    'in_use',
    `another process has ${file} open. Stop it, or choose another data folder with --data-dir.`,
    { cause },
  );
}

function prepareFile(connection: SqliteConnection, file: string): void {
  // Exclusive mode first: only then does the write-ahead log need no shared memory.
  connection.exec('PRAGMA locking_mode = EXCLUSIVE');
  if (sizeOf(file) > 0 && sizeOf(file) <= CHECKED_BYTES) {
    const check = connection.prepare('PRAGMA quick_check(1)');
    const [found] = check.all([]);
    check.discard();
    const verdict = Object.values(found ?? {})[0];
    if (verdict !== 'ok') throw new StoreError('corrupt', `the file is damaged: ${verdict}`);
  }
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('PRAGMA synchronous = NORMAL');
  connection.exec(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
  // Keeps stored data out of files in the system's temporary folder.
  connection.exec('PRAGMA temp_store = MEMORY');
}
