import { closeSync, openSync } from 'node:fs';
import type { SqlValue } from '../database.ts';
import {
  exactNumber,
  type SqliteConnection,
  type SqliteEngine,
  type SqliteStatement,
} from './sqliteEngine.ts';
import { removeLockFolder } from './wasmEngine.ts';

/** What is used of Node's module; the types of the oldest Node that is supported do not have it. */
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
 * @returns undefined where this Node does not have it without a flag (before 22.13), and in editors, whose Node is a build of
 * their own
 */
export function nodeEngine(): SqliteEngine | undefined {
  const module = 'electron' in process.versions ? undefined : loadModule();
  if (module === undefined) return undefined;
  const { DatabaseSync } = module;
  return {
    name: 'node',
    openMemory: () => connectionTo(new DatabaseSync(':memory:')),
    openFile(file, mayWrite) {
      // The other engine's lock, which its process left when it was killed.
      removeLockFolder(file);
      // SQLite itself creates files that everybody may read.
      closeSync(openSync(file, 'a', 0o600));
      const connection = new DatabaseSync(file);
      openFiles.set(connection, mayWrite);
      closeNothingAtExit();
      return connectionTo(connection);
    },
  };
}

function loadModule(): NodeSqlite | undefined {
  // Bundlers and older Nodes never see an import of it.
  const module = withoutWarning(() => process.getBuiltinModule?.('node:sqlite'));
  return module !== undefined && 'DatabaseSync' in module ? (module as NodeSqlite) : undefined;
}

/** Drops the one warning that Node prints when this module is loaded. All others are passed on. */
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
 * Files that are open, which keeps their connections from being collected. Node closes a connection that is collected, and
 * those that are left when the process ends. Closing writes: after another process adopted the file, that would damage it.
 */
const openFiles = new Map<NodeConnection, () => boolean>();
let watchesExit = false;

function closeNothingAtExit(): void {
  if (watchesExit) return;
  watchesExit = true;
  process.on('exit', (code) => {
    // `process.exit` ends the process without closing anything.
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
  // Otherwise an integer beyond what a number holds is an error.
  statement.setReadBigInts(true);
  return {
    all: (params) => statement.all(...params.map(bound)).map(plain),
    run: (params) => Number(statement.run(...params.map(bound)).changes),
    // Released when it is collected, at the latest with its connection.
    discard() {},
  };
}

/** Node binds every number as a float, and no booleans: `5 / ?` would be another number than in the other engine. */
function bound(value: SqlValue): NodeValue {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
}

/** Node's rows have no prototype. */
function plain(row: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(row)) copy[name] = exactNumber(row[name]);
  return copy;
}
