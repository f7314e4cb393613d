import type { FileLock } from '../../../machine/index.ts';
import type { Database, Queryable, SqlValue } from '../database.ts';
import type { StoreError } from '../storeError.ts';
import type { SqliteConnection, SqliteStatement } from './sqliteEngine.ts';
import { sqliteError } from './sqliteError.ts';

/** Statements that stay prepared; what the service runs again and again fits easily. */
const MAX_STATEMENTS = 200;

/** What comes with a file, and not with a database in memory. */
interface SqliteFile {
  /** Looked at before each statement. */
  readonly lock?: FileLock;
  readonly noteSettlements?: () => void;
}

/**
 * SQLite as a Database. Every statement is done when its call returns; the queue only keeps others
 * out of a transaction that waits for something in between.
 */
export function sqliteDatabase(
  connection: SqliteConnection,
  { lock, noteSettlements = () => {} }: SqliteFile = {},
): Database {
  const statements = new Map<string, SqliteStatement>();
  let frozen: StoreError | undefined;
  let tail: Promise<unknown> | undefined;

  function discard(sql: string): void {
    statements.get(sql)?.discard();
    statements.delete(sql);
  }

  function prepared(sql: string): SqliteStatement {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    if (statements.size >= MAX_STATEMENTS) {
      const [oldest] = statements;
      if (oldest !== undefined) {
        discard(oldest[0]);
      }
    }
    const statement = connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  function attempt<T>(step: () => T, sql?: string): T {
    try {
      lock?.assertHeld();
      return step();
    } catch (cause) {
      if (sql !== undefined) discard(sql);
      const error = sqliteError(cause);
      if (error.freezes) frozen = error;
      throw error;
    }
  }

  const direct: Queryable = {
    dialect: 'sqlite',
    async all<Row extends object>(sql: string, params: readonly SqlValue[] = []) {
      return attempt(() => prepared(sql).all(params), sql) as Row[];
    },
    async run(sql, params = []) {
      const changes = attempt(() => prepared(sql).run(params), sql);
      frozen = undefined;
      return changes;
    },
  };

  /** Runs `step` when no transaction is under way: at once, if there is none. */
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
    all: (sql, params) => inTurn(() => direct.all(sql, params)),
    run: (sql, params) => inTurn(() => direct.run(sql, params)),
    transaction(work) {
      const done = inTurn(() => transact(work));
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
        // Another process adopted the file: closing would write to it, and take its lock away.
        if (!connection.isOpen || lock?.held === false) return;
        for (const sql of [...statements.keys()]) discard(sql);
        try {
          connection.close();
        } finally {
          lock?.release();
        }
      });
    },
  };
}
