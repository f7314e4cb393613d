import type pg from 'pg';
import type { Database, Queryable, SqlValue } from '../database.ts';
import { StoreError } from '../storeError.ts';
import { isSerialization, postgresError } from './postgresError.ts';

/** Statements are few and the same ones each time. */
const translated = new Map<string, string>();

/** Writes `?` as `$1`, `$2`, …, except inside quotes. */
export function numberedPlaceholders(sql: string): string {
  const known = translated.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const text = sql.replace(/'(?:[^']|'')*'|"[^"]*"|\?/g, (part) =>
    part === '?' ? `$${++count}` : part,
  );
  if (translated.size < 1_000) translated.set(sql, text);
  return text;
}

type Runner = Pick<pg.ClientBase, 'query'>;

/** Statements of one database; records whether the last one showed that it is frozen. */
class Statements {
  /** Reason why nothing can be stored now. */
  frozen: StoreError | undefined;

  /** Runs statements on a connection, or on a free one of a pool. */
  on(runner: Runner): Queryable {
    return {
      dialect: 'postgres',
      all: async <Row extends object>(sql: string, params?: readonly SqlValue[]) =>
        (await this.#query(runner, sql, params)).rows as Row[],
      run: async (sql, params) => (await this.#query(runner, sql, params)).rowCount ?? 0,
    };
  }

  async #query(runner: Runner, sql: string, params: readonly SqlValue[] = []) {
    try {
      const result = await runner.query(numberedPlaceholders(sql), params.map(toValue));
      this.frozen = undefined;
      return result;
    } catch (cause) {
      const error = postgresError(cause);
      if (error.freezes) this.frozen = error;
      throw error;
    }
  }
}

function toValue(value: SqlValue): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value;
}

const CONNECTIONS = 16;
const CONNECT_MS = 5_000;
/** A statement takes milliseconds; the server ends one that takes this long. */
const STATEMENT_MS = 15_000;
/** If the server is silent, the driver gives up a little later than the server would. */
const SILENCE_MS = 16_000;
/** A heartbeat is one small statement on its own connection. */
const LIFELINE_MS = 2_000;
/** After this many unanswered heartbeats, all connections are cut, so that their statements fail now and not one by one. */
const SILENT_SIGNS = 2;
const KEEP_ALIVE_MS = 5_000;
/** Time for connections to close normally. */
const CLOSE_MS = 2_000;
/** Maximum number of attempts at a transaction that conflicts with others. */
const ATTEMPTS = 5;

const INT8 = 20;

function readInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/**
 * Opens a PostgreSQL database that several instances may share. Connections are opened when they are
 * needed. It works through a pooler, with sessions or transactions as its unit: no statement leaves anything behind in
 * its session.
 * @param url `postgres://user:password@host:port/database`
 */
export async function openPostgres(url: string): Promise<Database> {
  const { default: driver } = await import('pg');
  const common: pg.PoolConfig = {
    connectionString: url,
    application_name: 'svc-x402',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: {
      getTypeParser: (id: number, format?: 'text' | 'binary') =>
        id === INT8 ? readInteger : driver.types.getTypeParser(id, format),
    } as pg.CustomTypesConfig,
  };
  const main = { connectionTimeoutMillis: CONNECT_MS, query_timeout: SILENCE_MS };
  const direct = await endsStatements(driver, {
    ...common,
    ...main,
    statement_timeout: STATEMENT_MS,
  });
  const deadline = (ms: number): pg.PoolConfig => (direct ? { statement_timeout: ms } : {});
  const pool = new driver.Pool({
    ...common,
    ...main,
    ...deadline(STATEMENT_MS),
    max: CONNECTIONS,
  });
  const signs = new driver.Pool({
    ...common,
    ...deadline(LIFELINE_MS),
    max: 1,
    connectionTimeoutMillis: LIFELINE_MS,
    query_timeout: LIFELINE_MS,
  });
  // Through a pooler, a setting must not outlast a transaction, because another client gets the connection next.
  const begin = direct ? 'BEGIN' : `BEGIN; SET LOCAL statement_timeout = ${STATEMENT_MS}`;
  const connections = watchConnections([pool, signs]);
  let silent = 0;
  const statements = new Statements();

  /** Counts unanswered heartbeats. */
  async function sign<T>(step: () => Promise<T>): Promise<T> {
    try {
      const result = await step();
      silent = 0;
      return result;
    } catch (error) {
      silent = error instanceof StoreError && error.code === 'unreachable' ? silent + 1 : 0;
      if (silent >= SILENT_SIGNS) connections.cut();
      throw error;
    }
  }
  const onSigns = statements.on(signs);

  return {
    ...statements.on(pool),
    get frozen() {
      return statements.frozen;
    },
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await transactOnce({ pool, statements, begin }, work);
        } catch (error) {
          if (!isSerialization(error) || attempt >= ATTEMPTS) throw error;
        }
      }
    },
    lifeline: {
      dialect: 'postgres',
      all: (sql, params) => sign(() => onSigns.all(sql, params)),
      run: (sql, params) => sign(() => onSigns.run(sql, params)),
    },
    async close() {
      if (pool.ended) return;
      const ended = Promise.all([pool.end(), signs.end()]);
      // A silent server does not close connections normally either.
      const cut = setTimeout(() => connections.cut(), CLOSE_MS);
      await ended.finally(() => clearTimeout(cut));
    },
  };
}

/** The driver, which is loaded only where PostgreSQL is used. */
type Driver = Pick<typeof pg, 'Client'>;

/**
 * Returns whether the server itself ends statements that exceed the deadline a connection asks for in its startup
 * message. Poolers share connections between clients: PgBouncer refuses the parameter, or drops it with
 * `ignore_startup_parameters`.
 * @param config of a connection, with its `statement_timeout` in milliseconds
 * @throws StoreError when the database cannot be reached or refuses the user
 */
async function endsStatements(driver: Driver, config: pg.ClientConfig): Promise<boolean> {
  const client = new driver.Client(config);
  // The connection is closed in any case; a failure after that concerns nobody.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ setting: string }>(
      "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'",
    );
    return rows[0]?.setting === String(config.statement_timeout);
  } catch (error) {
    if (isRefusedParameter(error)) return false;
    throw postgresError(error);
  } finally {
    void client.end().catch(() => {});
  }
}

function isRefusedParameter(error: unknown): boolean {
  return error instanceof Error && /startup parameter/i.test(error.message);
}

/** Where transactions run. */
interface Place {
  readonly pool: pg.Pool;
  readonly statements: Statements;
  /** Begins a transaction. */
  readonly begin: string;
}

/** Runs a transaction on its own connection, and rolls it back if it fails. */
async function transactOnce<T>(
  { pool, statements, begin }: Place,
  work: (within: Queryable) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((cause: unknown) => {
    const error = postgresError(cause);
    statements.frozen = error;
    throw error;
  });
  let broken = false;
  // The pool listens on connections that lie idle alone. One that breaks while it is lent out, between
  // two statements, would end the process; here it fails the next statement.
  const onBreak = (): void => {
    broken = true;
  };
  client.on('error', onBreak);
  const within = statements.on(client);
  try {
    await within.run(begin);
    const result = await work(within);
    await within.run('COMMIT');
    return result;
  } catch (error) {
    // After an unanswered statement this one would wait too; closing the connection also rolls back.
    broken ||= error instanceof StoreError && error.code === 'unreachable';
    if (!broken) {
      await within.run('ROLLBACK').catch(() => {
        broken = true;
      });
    }
    throw error;
  } finally {
    client.off('error', onBreak);
    client.release(broken);
  }
}

/** The sockets of some pools. */
interface Connections {
  /** Ends every connection at once; statements on them fail. */
  cut(): void;
}

interface Socket {
  destroy(): void;
}

/** The socket of a connection, which the driver's types leave out. */
function socketOf(client: object): Socket | undefined {
  const connection = 'connection' in client ? client.connection : undefined;
  if (typeof connection !== 'object' || connection === null) return undefined;
  const stream = 'stream' in connection ? connection.stream : undefined;
  if (typeof stream !== 'object' || stream === null) return undefined;
  return 'destroy' in stream && typeof stream.destroy === 'function'
    ? (stream as Socket)
    : undefined;
}

/** Follows the connections of pools from their beginning to their end. */
function watchConnections(pools: readonly pg.Pool[]): Connections {
  const open = new Set<pg.PoolClient>();
  for (const pool of pools) {
    pool.on('connect', (client) => open.add(client));
    pool.on('remove', (client) => open.delete(client));
    // An idle connection that breaks is replaced with the next statement; nothing was asked of it.
    pool.on('error', () => {});
  }
  return {
    cut() {
      for (const client of open) socketOf(client)?.destroy();
    },
  };
}
