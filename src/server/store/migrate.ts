import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Dialect, Queryable } from './database.ts';
import { StoreError } from './storeError.ts';

/** One step of the schema. Its name determines its order, and never changes once it is released. */
export interface Migration {
  /** `NNN-what`, as its file. */
  readonly name: string;
  /** Statements without parameters, one each. */
  statements(dialect: Dialect): readonly string[];
}

/** An arbitrary number: the instance that holds this lock of PostgreSQL may change the schema. */
const LOCK = 402_402_402;

/** The change that created the table of instances. */
const INSTANCES = '002-instances';

/** PostgreSQL's clock, in milliseconds since the epoch. */
const DATABASE_NOW = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';

/** Longer than it takes for a renewal to arrive that was in flight during the announcement. */
const RENEWAL_MS = 5_000;
const LOOK_MS = 200;

const OTHER: Readonly<Record<Dialect, string>> = {
  sqlite: 'data folder with --data-dir',
  postgres: 'database',
};

/** Prefix of the row of a change that is due as soon as instances of older versions have stopped. */
const ANNOUNCED = 'announced ';

interface Schema {
  readonly due: readonly Migration[];
  readonly applied: ReadonlySet<string>;
}

/**
 * Migrates the schema to its latest state, in one transaction: instances that start at the same time wait
 * for the first, and an interruption leaves the old schema. On PostgreSQL, the change is announced first, and
 * waits until running instances of older versions have seen the announcement and refuse work (`assertSchemaKnown`).
 * @throws StoreError `newer` if a later version of the program has changed it
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
): Promise<string[]> {
  if (database.dialect === 'postgres' && (await announce(database, migrations))) {
    await othersSilent(database);
  }
  return database.transaction(async (within) => {
    const { due } = await lockSchema(within, migrations);
    for (const { name, statements } of due) {
      for (const statement of statements(within.dialect)) await within.run(statement);
      await within.run('INSERT INTO schema_migrations (name) VALUES (?)', [name]);
      await within.run('DELETE FROM schema_migrations WHERE name = ?', [ANNOUNCED + name]);
    }
    return due.map(({ name }) => name);
  });
}

/**
 * Checks that no later version has changed the schema, or is about to.
 * @throws StoreError `newer`
 */
export async function assertSchemaKnown(
  database: Queryable,
  migrations: readonly Migration[],
): Promise<ReadonlySet<string>> {
  const rows = await database.all<{ name: string }>('SELECT name FROM schema_migrations');
  const known = new Set(migrations.flatMap(({ name }) => [name, ANNOUNCED + name]));
  const unknown = rows.map(({ name }) => name).filter((name) => !known.has(name));
  if (unknown.length === 0) return new Set(rows.map(({ name }) => name));
  throw new StoreError(
    'newer',
    `a newer version of Svc x402 changed the store (${unknown.join(', ')}). Run that version, or choose another ${OTHER[database.dialect]}.`,
  );
}

/** Reads the schema within a transaction; other instances that want to change it wait for its end. */
async function lockSchema(within: Queryable, migrations: readonly Migration[]): Promise<Schema> {
  if (within.dialect === 'postgres') {
    await within.all('SELECT pg_advisory_xact_lock(CAST(? AS BIGINT))', [LOCK]);
  }
  await within.run('CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY)');
  const applied = await assertSchemaKnown(within, migrations);
  return { applied, due: migrations.filter(({ name }) => !applied.has(name)) };
}

/** Announces a change of a schema that instances may use. @returns whether there is one */
function announce(database: Database, migrations: readonly Migration[]): Promise<boolean> {
  return database.transaction(async (within) => {
    const { applied, due } = await lockSchema(within, migrations);
    if (due.length === 0 || !applied.has(INSTANCES)) return false;
    for (const { name } of due) {
      await within.run(
        'INSERT INTO schema_migrations (name) VALUES (?) ON CONFLICT (name) DO NOTHING',
        [ANNOUNCED + name],
      );
    }
    return true;
  });
}

/**
 * Waits until no instance holds a lease. An instance of version 0.3 renews its lease in spite of the announcement, so this
 * waits no longer than a lease lasts.
 */
async function othersSilent(database: Database): Promise<void> {
  let until: number | undefined;
  for (;;) {
    const [row] = await database.all<{ left: number }>(
      `SELECT COALESCE(MAX(expires_at) - ${DATABASE_NOW}, 0) AS left FROM instances`,
    );
    const left = row?.left ?? 0;
    until ??= performance.now() + left + RENEWAL_MS;
    if (left <= 0 || performance.now() > until) return;
    await pause(LOOK_MS);
  }
}
