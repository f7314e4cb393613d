import type pg from 'pg';
import type { Database, Queryable, SqlValue } from '../database.ts';
import type { StoreError } from '../storeError.ts';
import { numberedPlaceholders } from './placeholders.ts';
import { isSerialization, postgresError } from './postgresError.ts';

const CONNECTIONS = 16;
const CONNECT_MS = 5_000;
/** A statement takes milliseconds; one that takes this long has met a fault. */
const STATEMENT_MS = 15_000;
/** A transaction that lost against another one is run again this many times. */
const ATTEMPTS = 5;

const INT8 = 20;

function readInteger(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

function toValue(value: SqlValue): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value;
}

type Runner = Pick<pg.ClientBase, 'query'>;

/**
 * Opens a PostgreSQL database that several instances may share. Connections are made when they are
 * needed.
 * @param url `postgres://user:password@host:port/database`
 */
export async function openPostgres(url: string): Promise<Database> {
  const { default: driver } = await import('pg');
  const pool = new driver.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    application_name: 'svc-x402',
    types: {
      getTypeParser: (id: number, format?: 'text' | 'binary') =>
        id === INT8 ? readInteger : driver.types.getTypeParser(id, format),
    } as pg.CustomTypesConfig,
  });
  // An idle connection that breaks is replaced with the next statement; nothing was asked of it.
  pool.on('error', () => {});
  let frozen: StoreError | undefined;

  async function query(runner: Runner, sql: string, params: readonly SqlValue[] = []) {
    try {
      const result = await runner.query(numberedPlaceholders(sql), params.map(toValue));
      frozen = undefined;
      return result;
    } catch (cause) {
      const error = postgresError(cause);
      if (error.freezes) frozen = error;
      throw error;
    }
  }

  const on = (runner: Runner): Queryable => ({
    dialect: 'postgres',
    all: async <Row extends object>(sql: string, params?: readonly SqlValue[]) =>
      (await query(runner, sql, params)).rows as Row[],
    run: async (sql, params) => (await query(runner, sql, params)).rowCount ?? 0,
  });

  async function transactOnce<T>(work: (within: Queryable) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((cause: unknown) => {
      frozen = postgresError(cause);
      throw frozen;
    });
    let broken = false;
    // The pool listens on connections that lie idle alone. One that breaks while it is lent out, between
    // two statements, would end the process; here it fails the next statement.
    const onBreak = (): void => {
      broken = true;
    };
    client.on('error', onBreak);
    try {
      await query(client, 'BEGIN');
      const result = await work(on(client));
      await query(client, 'COMMIT');
      return result;
    } catch (error) {
      await query(client, 'ROLLBACK').catch(() => {
        broken = true;
      });
      throw error;
    } finally {
      client.off('error', onBreak);
      client.release(broken);
    }
  }

  return {
    ...on(pool),
    get frozen() {
      return frozen;
    },
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await transactOnce(work);
        } catch (error) {
          if (!isSerialization(error) || attempt >= ATTEMPTS) throw error;
        }
      }
    },
    async close() {
      if (!pool.ended) await pool.end();
    },
  };
}
