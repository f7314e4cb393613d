import { PGlite, types } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { Database, Queryable, SqlValue } from '../../src/server/store/index.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { MIGRATIONS } from '../../src/server/store/migrations/index.ts';
import { numberedPlaceholders } from '../../src/server/store/postgres/placeholders.ts';

const integer = (text: string) => Number(text);

/** PostgreSQL in this process with the real pgvector, which no package of Debian 12 has. */
export async function openPglite({ pgvector }: { readonly pgvector: boolean }): Promise<Database> {
  const server = await PGlite.create({
    extensions: pgvector ? { vector } : {},
    parsers: { [types.INT8]: integer, [types.NUMERIC]: integer },
  });
  type Runner = Pick<PGlite, 'query'>;
  const values = (params: readonly SqlValue[] = []) =>
    params.map((value) => (typeof value === 'boolean' ? Number(value) : value));
  const on = (runner: Runner): Queryable => ({
    dialect: 'postgres',
    all: async <Row extends object>(sql: string, params?: readonly SqlValue[]) =>
      (await runner.query<Row>(numberedPlaceholders(sql), values(params))).rows,
    run: async (sql, params) =>
      (await runner.query(numberedPlaceholders(sql), values(params))).affectedRows ?? 0,
  });
  const database: Database = {
    ...on(server),
    frozen: undefined,
    transaction: (work) => server.transaction((within) => work(on(within))),
    close: () => server.close(),
  };
  await migrate(database, MIGRATIONS);
  return database;
}
