import { rmSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type sqlite from 'node-sqlite3-wasm';
import {
  exactNumber,
  type SqliteConnection,
  type SqliteEngine,
  type SqliteStatement,
} from './sqliteEngine.ts';

/** V8's own budget for a function in Node 18 and 20. Later ones have a larger one, and most of them SQLite of their own. */
const TIERING_BUDGET = 1_800_000;
const HAS_THAT_BUDGET = /^1[01]\./.test(process.versions.v8 ?? '');

type Connection = InstanceType<typeof sqlite.Database>;

/** Loads SQLite in WebAssembly, which runs on every Node. It is 1.3 MB, so it loads only when a store opens. */
export async function wasmEngine(): Promise<SqliteEngine> {
  const { Database } = (await optimisedLater(() => import('node-sqlite3-wasm'))).default;
  return {
    name: 'wasm',
    openMemory: () => connectionTo(new Database()),
    openFile(file) {
      removeLockFolder(file);
      return connectionTo(new Database(file));
    },
  };
}

/**
 * Loads a module whose functions V8 optimises a hundred times later. A start optimised 52 functions, whose compiling takes memory
 * that the process keeps, for a service that may never sell anything; now only the two of SQLite's interpreter are.
 */
async function optimisedLater<T>(load: () => Promise<T>): Promise<T> {
  if (!HAS_THAT_BUDGET) return await load();
  setFlagsFromString(`--wasm-tiering-budget=${100 * TIERING_BUDGET}`);
  try {
    return await load();
  } finally {
    // The flag is the process's: the Soroban host is optimised at once.
    setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
  }
}

/** The library's own lock, a folder, remains when its process is killed. */
export function removeLockFolder(file: string): void {
  rmSync(`${file}.lock`, { recursive: true, force: true });
}

function connectionTo(connection: Connection): SqliteConnection {
  return {
    get isOpen() {
      return connection.isOpen;
    },
    exec: (sql) => connection.exec(sql),
    prepare: (sql) => preparedOn(connection, sql),
    rollback() {
      if (connection.inTransaction) connection.exec('ROLLBACK');
    },
    close: () => connection.close(),
  };
}

function preparedOn(connection: Connection, sql: string): SqliteStatement {
  const statement = connection.prepare(sql);
  return {
    all(params) {
      const rows: Record<string, unknown>[] = statement.all([...params]);
      for (const row of rows) {
        for (const [name, value] of Object.entries(row)) row[name] = exactNumber(value);
      }
      return rows;
    },
    run: (params) => statement.run([...params]).changes,
    discard() {
      try {
        statement.finalize();
      } catch {
        // It throws its last error again, but releases the statement.
      }
    },
  };
}
