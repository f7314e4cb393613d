import type { FileLock } from '../../../machine/index.ts';
import type { Database, Queryable, SqlValue } from '../database.ts';
import type { StoreError } from '../storeError.ts';
import { DiskWrites } from './diskWrites.ts';
import { GroupedWrites } from './groupedWrites.ts';
import { PreparedStatements } from './preparedStatements.ts';
import type { SqliteConnection } from './sqliteEngine.ts';
import { sqliteError } from './sqliteError.ts';

/** Parts that a file has, but not a database in memory. */
interface SqliteFile {
  /** Checked before each statement. */
  readonly lock?: FileLock;
  /** Flushes the write-ahead log to the disk. */
  readonly flushLog?: () => Promise<void>;
  readonly noteSettlements?: () => void;
}

const CHECKPOINT = 'PRAGMA wal_checkpoint(PASSIVE)';

/**
 * SQLite as a Database. The changes of one turn of the event loop go to a file in one commit, before anything that is
 * asked for after them; every other statement is done when its call returns. The queue only keeps others out of a
 * transaction that waits for something in between.
 */
export function sqliteDatabase(
  connection: SqliteConnection,
  { lock, flushLog, noteSettlements = () => {} }: SqliteFile = {},
): Database {
  const statements = new PreparedStatements(connection);
  let frozen: StoreError | undefined;
  let tail: Promise<unknown> | undefined;
  const disk =
    flushLog && new DiskWrites({ flushLog, checkpoint: () => inTurn(async () => checkpoint()) });

  function attempt<T>(step: () => T, sql?: string): T {
    try {
      lock?.assertHeld();
      return step();
    } catch (cause) {
      if (sql !== undefined) statements.discard(sql);
      const error = sqliteError(cause);
      if (error.freezes) frozen = error;
      throw error;
    }
  }

  function checkpoint(): void {
    if (!connection.isOpen) return;
    lock?.assertHeld();
    connection.exec(CHECKPOINT);
  }

  function change(sql: string, params: readonly SqlValue[]): number {
    return attempt(() => statements.prepared(sql).run(params), sql);
  }

  function stored(): void {
    frozen = undefined;
    disk?.noteWrite();
  }

  const direct: Queryable = {
    dialect: 'sqlite',
    async all<Row extends object>(sql: string, params: readonly SqlValue[] = []) {
      return attempt(() => statements.prepared(sql).all(params), sql) as Row[];
    },
    async run(sql, params = []) {
      const changes = change(sql, params);
      stored();
      return changes;
    },
  };

  /** Only a file has commits that cost something. */
  const grouped =
    disk &&
    new GroupedWrites({
      change,
      stored,
      rollback: () => attempt(() => connection.rollback()),
      inTurn: (step) => inTurn(async () => step()),
    });

  /** Runs `step` when no transaction is in progress: immediately, if there is none. */
  function inTurn<T>(step: () => Promise<T>): Promise<T> {
    return tail === undefined ? step() : tail.then(step, step);
  }

  async function transact<T>(work: (within: Queryable) => Promise<T>): Promise<T> {
    attempt(() => connection.exec('BEGIN IMMEDIATE'));
    try {
      const result = await work(direct);
      attempt(() => connection.exec('COMMIT'));
      frozen = undefined;
      return result;
    } catch (error) {
      attempt(() => connection.rollback());
      throw error;
    }
  }

  return {
    dialect: 'sqlite',
    get frozen() {
      return frozen;
    },
    all: (sql, params) =>
      inTurn(() => {
        grouped?.store();
        return direct.all(sql, params);
      }),
    run: (sql, params = []) =>
      grouped === undefined ? inTurn(() => direct.run(sql, params)) : grouped.run(sql, params),
    transaction(work) {
      const done = inTurn(() => {
        grouped?.store();
        return transact(work);
      });
      const settled = done.then(
        () => undefined,
        () => undefined,
      );
      tail = settled;
      void settled.then(() => {
        if (tail === settled) tail = undefined;
      });
      return done;
    },
    noteSettlements: () => attempt(noteSettlements),
    async close() {
      await inTurn(async () => {
        grouped?.store();
        // Another process adopted the file: closing would write to it and remove its lock.
        disk?.stop();
        if (!connection.isOpen || lock?.held === false) return;
        statements.discardAll();
        try {
          connection.close();
        } finally {
          lock?.release();
        }
      });
    },
  };
}
