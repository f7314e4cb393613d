import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openStore } from '../../src/server/store/index.ts';
import { nodeEngine } from '../../src/server/store/sqlite/nodeEngine.ts';
import type { SqliteEngineName } from '../../src/server/store/sqlite/sqliteEngine.ts';
import { type PrivatePostgres, postgresMissing, startPrivatePostgres } from './privatePostgres.ts';

/** A kind of store that the service can use. */
export interface Engine {
  readonly name: string;
  /** Why it cannot be tested here. */
  readonly missing: string | undefined;
  /** Whether the next connection finds what an earlier one wrote. */
  readonly persistent: boolean;
  /** Whether several instances may have it open. */
  readonly shared: boolean;
  begin(): Promise<void>;
  /** A store of its own. `reopen` gives the same one again, after it was closed. */
  open(): Promise<{ readonly database: Database; reopen(): Promise<Database> }>;
  end(): Promise<void>;
}

/** The builds of SQLite, for suites of the embedded store. */
export const sqliteEngines: readonly {
  readonly engine: SqliteEngineName;
  readonly name: string;
  readonly missing: string | undefined;
}[] = [
  { engine: 'wasm', name: 'SQLite in WebAssembly', missing: undefined },
  {
    engine: 'node',
    name: 'node:sqlite',
    missing:
      nodeEngine() === undefined
        ? `Node ${process.version} does not have node:sqlite; npm run lab -- sqlite runs it`
        : undefined,
  },
];

type SqliteBuild = (typeof sqliteEngines)[number];

function fileEngine({ engine: sqlite, name, missing }: SqliteBuild): Engine {
  const folders: string[] = [];
  return {
    name: `${name}, in a file`,
    missing,
    persistent: true,
    shared: false,
    async begin() {},
    async open() {
      const dataFolder = mkdtempSync(join(tmpdir(), 'svc-store-'));
      folders.push(dataFolder);
      const reopen = () => openStore({ databaseUrl: null, dataFolder, sqlite });
      return { database: await reopen(), reopen };
    },
    async end() {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function memoryEngine({ engine: sqlite, name, missing }: SqliteBuild): Engine {
  return {
    name: `${name}, in memory`,
    missing,
    persistent: false,
    shared: false,
    async begin() {},
    async open() {
      const reopen = () => openStore({ databaseUrl: null, dataFolder: null, sqlite });
      return { database: await reopen(), reopen };
    },
    async end() {},
  };
}

function postgresEngine(): Engine {
  let server: PrivatePostgres;
  return {
    name: 'PostgreSQL',
    missing: postgresMissing,
    persistent: true,
    shared: true,
    async begin() {
      server = await startPrivatePostgres();
    },
    async open() {
      const databaseUrl = await server.createDatabase();
      const reopen = () => openStore({ databaseUrl, dataFolder: null });
      return { database: await reopen(), reopen };
    },
    async end() {
      await server.close();
    },
  };
}

/** Every engine, for suites that must hold on each of them. */
export const engines = (): readonly Engine[] => [
  ...sqliteEngines.map(fileEngine),
  ...enginesWithoutFiles(),
];

/** The same for suites to which it makes no difference that SQLite writes to a file. */
export const enginesWithoutFiles = (): readonly Engine[] => [
  ...sqliteEngines.map(memoryEngine),
  postgresEngine(),
];
