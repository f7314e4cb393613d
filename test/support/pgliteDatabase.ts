import { randomUUID } from 'node:crypto';
import { openAsBlob, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite, types } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { Database, Queryable, SqlValue } from '../../src/server/store/index.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { MIGRATIONS } from '../../src/server/store/migrations/index.ts';
import { numberedPlaceholders } from '../../src/server/store/postgres/openPostgres.ts';

const integer = (text: string) => Number(text);

/** PostgreSQL in this process with the real pgvector, which no package of Debian 12 has. */
export async function openPglite({ pgvector }: { readonly pgvector: boolean }): Promise<Database> {
  const server = await PGlite.create({
    loadDataDir: await emptyCluster(),
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

const manifest = new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url);
const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'));
const KEPT = fileURLToPath(new URL(`../../build/pglite/${version}.tar`, import.meta.url));

/** The files of an empty cluster. Making them takes four times as long as loading them, so that they are kept. */
async function emptyCluster(): Promise<Blob> {
  try {
    return await openAsBlob(KEPT);
  } catch {
    const server = await PGlite.create();
    const files = await server.dumpDataDir('none');
    await server.close();
    const beside = `${KEPT}.${randomUUID()}`;
    await mkdir(dirname(KEPT), { recursive: true });
    await writeFile(beside, Buffer.from(await files.arrayBuffer()));
    await rename(beside, KEPT);
    return files;
  }
}
