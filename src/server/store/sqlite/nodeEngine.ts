import { closeSync, openSync } from 'node:fs';
import type { SqlValue } from '../database.ts';
import {
  exactNumber,
  type SqliteConnection,
  type SqliteEngine,
  type SqliteStatement,
} from './sqliteEngine.ts';
import { removeLockFolder } from './wasmEngine.ts';

/** The used parts of Node's module, which the types of the oldest supported Node lack. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => NodeConnection;
}

interface NodeConnection {
  exec(sql: string): void;
  prepare(sql: string): NodeStatement;
  close(): void;
}

interface NodeStatement {
  all(...params: readonly NodeValue[]): Record<string, unknown>[];
  run(...params: readonly NodeValue[]): { readonly changes: number | bigint };
  setReadBigInts(enabled: boolean): void;
}

type NodeValue = string | number | bigint | Uint8Array | null;

/**
 * Loads Node's own SQLite.
 * @returns undefined if this Node lacks it or hides it behind a flag (before 22.13), and in editors, which bring their own
 * build of Node
 */
export function nodeEngine(): SqliteEngine | undefined {
  const module = 'electron' in process.versions ? undefined : loadModule();
  if (module === undefined) return undefined;
  const { DatabaseSync } = module;
  return {
    name: 'node',
    openMemory: () => connectionTo(new DatabaseSync(':memory:')),
    openFile(file, mayWrite) {
      // A lock that a killed process with the other engine left behind.
      removeLockFolder(file);
      // SQLite itself would create a world-readable file.
      closeSync(openSync(file, 'a', 0o600));
      const connection = new DatabaseSync(file);
      openFiles.set(connection, mayWrite);
      closeNothingAtExit();
      return connectionTo(connection);
    },
  };
}

function loadModule(): NodeSqlite | undefined {
  // Bundlers and older Nodes must not see an import of it.
  const module = withoutWarning(() => process.getBuiltinModule?.('node:sqlite'));
  return module !== undefined && 'DatabaseSync' in module ? (module as NodeSqlite) : undefined;
}

/** Suppresses only the warning that Node prints when this module loads. */
function withoutWarning<T>(load: () => T): T {
  const emit = process.emitWarning;
  process.emitWarning = (...args: unknown[]) => {
    const [warning, type] = args;
    if (type === 'ExperimentalWarning' && String(warning).startsWith('SQLite is ')) return;
    Reflect.apply(emit, process, args);
  };
  try {
    return load();
  } finally {
    process.emitWarning = emit;
  }
}

/**
 * Open files; the set keeps their connections from being garbage-collected. Node closes a connection on collection and at
 * the end of the process. Closing writes to the file, which would damage it if another process has adopted it.
 */
const openFiles = new Map<NodeConnection, () => boolean>();
let watchesExit = false;

function closeNothingAtExit(): void {
  if (watchesExit) return;
  watchesExit = true;
  process.on('exit', (code) => {
    // `process.exit` ends the process without closing files.
    if ([...openFiles.values()].some((mayWrite) => !mayWrite())) process.exit(code);
  });
}

function connectionTo(connection: NodeConnection): SqliteConnection {
  let isOpen = true;
  return {
    get isOpen() {
      return isOpen;
    },
    exec: (sql) => connection.exec(sql),
    prepare: (sql) => preparedOn(connection, sql),
    rollback() {
      try {
        connection.exec('ROLLBACK');
      } catch (error) {
        // Node 22 does not say whether a transaction is active.
        if (!String(error).includes('no transaction is active')) throw error;
      }
    },
    close() {
      connection.close();
      openFiles.delete(connection);
      isOpen = false;
    },
  };
}

function preparedOn(connection: NodeConnection, sql: string): SqliteStatement {
  const statement = connection.prepare(sql);
  // Otherwise an integer too large for a number is an error.
  statement.setReadBigInts(true);
  return {
    all: (params) => statement.all(...params.map(bound)).map(plain),
    run: (params) => Number(statement.run(...params.map(bound)).changes),
    // Released by garbage collection, at the latest with its connection.
    discard() {},
  };
}

/** Converts values, because Node binds every number as a float and no booleans: `5 / ?` would differ between engines. */
function bound(value: SqlValue): NodeValue {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}

/** Copies a row, because Node's rows have no prototype. */
function plain(row: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(row)) copy[name] = exactNumber(row[name]);
  return copy;
}
