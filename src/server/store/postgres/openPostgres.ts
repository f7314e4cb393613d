import type pg from 'pg';
import type { Database } from '../database.ts';
import { StoreError } from '../storeError.ts';
import { endsStatements } from './endsStatements.ts';
import { isSerialization } from './postgresError.ts';
import { Statements } from './statements.ts';
import { transactOnce } from './transactOnce.ts';
import { watchConnections } from './watchConnections.ts';

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
