import { rmSync } from 'node:fs';
import type sqlite from 'node-sqlite3-wasm';
import {
  exactNumber,
  type SqliteConnection,
  type SqliteEngine,
  type SqliteStatement,
} from './sqliteEngine.ts';

type Connection = InstanceType<typeof sqlite.Database>;

/** Loads SQLite in WebAssembly, which runs on every Node. It is 1.3 MB, so it loads only when a store opens. */
export async function wasmEngine(): Promise<SqliteEngine> {
  const { Database } = (await import('node-sqlite3-wasm')).default;
  return {
    name: 'wasm',
    openMemory: () => connectionTo(new Database()),
    openFile(file) {
      removeLockFolder(file);
      return connectionTo(new Database(file));
    },
  };
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
