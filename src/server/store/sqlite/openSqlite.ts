import { closeSync, existsSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { FileLock, LockError } from '../../../machine/index.ts';
import type { Database } from '../database.ts';
import { StoreError } from '../storeError.ts';
import { nodeEngine } from './nodeEngine.ts';
import { sqliteDatabase } from './sqliteDatabase.ts';
import type { SqliteConnection, SqliteEngine, SqliteEngineName } from './sqliteEngine.ts';
import { sqliteError } from './sqliteError.ts';
import { wasmEngine } from './wasmEngine.ts';

const HEADER_BYTES = 100;

/** Mark beside a store that contains settlements; it distinguishes a lost store from a new one. */
const markOf = (file: string): string => `${file}.settled`;

/** @throws StoreError `corrupt` if the file is missing or empty although it contained settlements */
function requireNotLost(file: string): void {
  const mark = markOf(file);
  if (sizeOf(file) > 0 || !existsSync(mark)) return;
  const what = existsSync(file) ? 'is empty' : 'is missing';
  throw new StoreError(
    'corrupt',
    `${file} ${what}, though settlements were kept in it: restore it from a backup, or delete ${mark} to begin with an empty store`,
  );
}

/**
 * SQLite treats a file of one byte as empty, and does not always notice a truncated last page. With a journal beside
 * the file a truncated page is harmless: the journal contains it too.
 * @throws StoreError `corrupt` when the file does not end with a whole page
 */
function requireWholePages(file: string): void {
  const size = sizeOf(file);
  if (size === 0 || sizeOf(`${file}-wal`) > 0 || sizeOf(`${file}-journal`) > 0) return;
  if (size >= HEADER_BYTES && size % pageSizeOf(file) === 0) return;
  throw new StoreError('corrupt', `${file} was cut off: restore it from a backup`);
}

/** Returns the page size in bytes, a 2-byte number in the file's header (SQLite file format, 1.3.2). */
function pageSizeOf(file: string): number {
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(descriptor);
  }
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : Math.max(size, 1);
}

/** Returns a function that writes the mark once. */
function marker(file: string): () => void {
  let marked = false;
  return () => {
    if (marked) return;
    writeFileSync(markOf(file), '', { mode: 0o600 });
    marked = true;
  };
}

/** Returns a file's size in bytes; 0 if it is missing. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

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
