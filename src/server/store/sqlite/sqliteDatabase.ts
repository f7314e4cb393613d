import type { FileLock } from '../../../machine/index.ts';
import type { Database, Queryable, SqlValue } from '../database.ts';
import { StoreError } from '../storeError.ts';
import type { SqliteConnection, SqliteStatement } from './sqliteEngine.ts';
import { sqliteError } from './sqliteError.ts';

/** Maximum number of prepared statements; the service's recurring ones fit easily. */
const MAX_STATEMENTS = 200;

/** Cache of a connection's prepared statements. */
class PreparedStatements {
  readonly #connection: SqliteConnection;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  prepared(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    if (this.#statements.size >= MAX_STATEMENTS) {
      const [oldest] = this.#statements;
      if (oldest !== undefined) this.discard(oldest[0]);
    }
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Removes a statement from the cache, such as one that failed. */
  discard(sql: string): void {
    this.#statements.get(sql)?.discard();
    this.#statements.delete(sql);
  }

  discardAll(): void {
    for (const sql of [...this.#statements.keys()]) this.discard(sql);
  }
}

/** Steps on the connection. Each is done when its call returns, and throws StoreError. */
interface WriteSteps {
  /** Runs a statement and returns how many rows it changed. */
  change(sql: string, params: readonly SqlValue[]): number;
  /** Called after changes were committed. */
  stored(): void;
  /** Ends the transaction in progress, if there is one, without its changes. */
  rollback(): void;
  /** Runs `step` when no transaction of another caller is in progress. */
  inTurn(step: () => void): Promise<void>;
}

interface Write {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  readonly resolve: (changes: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits the changes of one turn of the event loop together. A commit writes each changed page to the log, and the pages
 * of settlements that run side by side are mostly the same. A caller learns of its change after the commit, so each state
 * is still stored before the step that it permits.
 */
class GroupedWrites {
  readonly #steps: WriteSteps;
  #waiting: Write[] = [];

  constructor(steps: WriteSteps) {
    this.#steps = steps;
  }

  /** Runs a statement with the others of this turn. Rejects with StoreError, if it fails itself or nothing can be stored. */
  run(sql: string, params: readonly SqlValue[]): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) {
        setImmediate(() => void this.#steps.inTurn(() => this.store()));
      }
      this.#waiting.push({ sql, params, resolve, reject });
    });
  }

  /** Stores what waits, at once. Call it before anything that has to see it, while no transaction is in progress. */
  store(): void {
    const writes = this.#waiting;
    this.#waiting = [];
    if (writes.length > 1 && this.#storeTogether(writes)) return;
    for (const { sql, params, resolve, reject } of writes) {
      try {
        const changes = this.#steps.change(sql, params);
        this.#steps.stored();
        resolve(changes);
      } catch (error) {
        reject(error);
      }
    }
  }

  /** @returns false if nothing was stored: then each statement has to show by itself what fails */
  #storeTogether(writes: readonly Write[]): boolean {
    const { change, stored, rollback } = this.#steps;
    const tell: (() => void)[] = [];
    try {
      change('BEGIN IMMEDIATE', []);
      for (const write of writes) tell.push(this.#attempt(write));
      change('COMMIT', []);
    } catch {
      try {
        rollback();
      } catch {
        // The lock on the file is lost, which the first statement shows again.
      }
      return false;
    }
    stored();
    for (const one of tell) one();
    return true;
  }

  /** Runs one statement of a group. A conflict undoes only that statement; any other failure ends the group. */
  #attempt({ sql, params, resolve, reject }: Write): () => void {
    try {
      const changes = this.#steps.change(sql, params);
      return () => resolve(changes);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'conflict') throw error;
      return () => reject(error);
    }
  }
}

/** Time until a write is flushed to the disk. */
const PERIOD_MS = 2_000;

interface DiskSteps {
  /** Flushes the log in the background. Its contents then survive a power failure. */
  readonly flushLog: () => Promise<void>;
  /** Moves the log into the file and flushes both. This blocks the process. */
  readonly checkpoint: () => Promise<void>;
}

/**
 * Flushes writes to the disk: the log while writes continue, the database file once they stop. A checkpoint blocks the process
 * for tens of milliseconds, which a busy facilitator would meet every two seconds; flushing the log does not block it.
 * A failed step is repeated after the next write; until then, the operating system has the data.
 */
export class DiskWrites {
  readonly #steps: DiskSteps;
  #timer: NodeJS.Timeout | undefined;
  #written = false;

  constructor(steps: DiskSteps) {
    this.#steps = steps;
  }

  noteWrite(): void {
    this.#written = true;
    if (this.#timer === undefined) this.#plan();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #plan(): void {
    this.#timer = setTimeout(() => this.#step(), PERIOD_MS).unref();
  }

  #step(): void {
    this.#timer = undefined;
    const { flushLog, checkpoint } = this.#steps;
    const step = this.#written ? flushLog : checkpoint;
    if (this.#written) this.#plan();
    this.#written = false;
    step().catch(() => undefined);
  }
}

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
