import type { Database, Dialect } from './database.ts';
import { StoreError } from './storeError.ts';

/** One step of the schema. Its name orders it, and is never changed once it is released. */
export interface Migration {
  /** `NNN-what`, as its file. */
  readonly name: string;
  /** Statements without parameters, one each. */
  statements(dialect: Dialect): readonly string[];
}

/** Any number: whoever holds this lock of PostgreSQL changes the schema. */
const LOCK = 402_402_402;

const OTHER: Readonly<Record<Dialect, string>> = {
  sqlite: 'data folder with --data-dir',
  postgres: 'database',
};

/**
 * Brings the schema to its latest state, in one transaction: instances that start at once wait for
 * the first, and an end in the middle leaves the schema that was there.
 * @throws StoreError `newer` when a later version of the program has changed it
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
): Promise<string[]> {
  return database.transaction(async (within) => {
    if (within.dialect === 'postgres') {
      await within.all('SELECT pg_advisory_xact_lock(CAST(? AS BIGINT))', [LOCK]);
    }
    await within.run('CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY)');
    const rows = await within.all<{ name: string }>('SELECT name FROM schema_migrations');
    const applied = new Set(rows.map(({ name }) => name));
    const known = new Set(migrations.map(({ name }) => name));
    const unknown = [...applied].filter((name) => !known.has(name));
    if (unknown.length > 0) {
      throw new StoreError(
        'newer',
        `a newer version of Svc x402 changed the store (${unknown.join(', ')}). Run that version, or choose another ${OTHER[within.dialect]}.`,
      );
    }
    const due = migrations.filter(({ name }) => !applied.has(name));
    for (const { name, statements } of due) {
      for (const statement of statements(within.dialect)) await within.run(statement);
      await within.run('INSERT INTO schema_migrations (name) VALUES (?)', [name]);
    }
    return due.map(({ name }) => name);
  });
}
