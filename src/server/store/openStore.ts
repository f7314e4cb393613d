import { join } from 'node:path';
import type { Database, Dialect, Queryable } from './database.ts';
import { assertSchemaKnown, migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { openPostgres } from './postgres/openPostgres.ts';
import { openSqliteFile, openSqliteMemory } from './sqlite/openSqlite.ts';
import type { SqliteEngineName } from './sqlite/sqliteEngine.ts';
import { StoreError } from './storeError.ts';

/** Where the store is. */
export interface StoreOptions {
  /** PostgreSQL, which several instances may share; it takes precedence over the folder. */
  readonly databaseUrl: string | null;
  /** Folder for the embedded store's file; without it and without a URL, everything is in memory. */
  readonly dataFolder: string | null;
  /** Build of SQLite. Default: the fastest that this Node has. */
  readonly sqlite?: SqliteEngineName;
}

export const STORE_FILE = 'service.db';

/** Problems that an operator can fix while the service runs and reports them. */
const FROZEN: ReadonlySet<string> = new Set(['full', 'read_only', 'corrupt']);

async function migrated(database: Database): Promise<Database> {
  try {
    await migrate(database, MIGRATIONS);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Checks that the schema is still the one of this version.
 * @throws StoreError `newer` if a later version has changed it, or is about to
 */
export async function assertSchemaCurrent(database: Queryable): Promise<void> {
  await assertSchemaKnown(database, MIGRATIONS);
}

/**
 * Opens the store and migrates its schema. An embedded store that is damaged or not writable is left
 * unchanged: the returned store refuses everything and reports why (`frozen`).
 * @throws StoreError `in_use` if another process has the file, `newer` if a later version wrote
 * it, `unreachable` if PostgreSQL does not answer
 */
export async function openStore({
  databaseUrl,
  dataFolder,
  sqlite,
}: StoreOptions): Promise<Database> {
  if (databaseUrl !== null) return migrated(await openPostgres(databaseUrl));
  if (dataFolder === null) return migrated(await openSqliteMemory(sqlite));
  try {
    return await migrated(await openSqliteFile(join(dataFolder, STORE_FILE), sqlite));
  } catch (error) {
    if (error instanceof StoreError && FROZEN.has(error.code)) {
      return frozenDatabase('sqlite', error);
    }
    throw error;
  }
}

/**
 * Replaces a store that could not be opened: it refuses everything and writes nothing. So the service can
 * run and report the problem, while the files on the disk stay unchanged.
 */
function frozenDatabase(dialect: Dialect, reason: StoreError): Database {
  const refuse = async (): Promise<never> => {
    throw reason;
  };
  return {
    dialect,
    frozen: reason,
    all: refuse,
    run: refuse,
    transaction: refuse,
    async close() {},
  };
}
