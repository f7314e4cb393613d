import type pg from 'pg';
import type { Queryable, SqlValue } from '../database.ts';
import type { StoreError } from '../storeError.ts';
import { postgresError } from './postgresError.ts';

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
export class Statements {
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
