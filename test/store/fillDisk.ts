/** Keeps a store on a small disk, fills the disk, makes space again, and reports what the store did. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openStore, StoreError } from '../../src/server/store/index.ts';

const [, , dataFolder = '', engine] = process.argv;
const sqlite = engine === 'node' ? 'node' : 'wasm';
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', dataFolder]);
if (mounted.status !== 0) throw new Error(String(mounted.stderr));

const open = () => openStore({ databaseUrl: null, dataFolder, sqlite });
const INSERT = 'INSERT INTO rate_counts (key, window_start, count) VALUES (?, 0, 1)';
const codeOf = (error: unknown) => (error instanceof StoreError ? error.code : String(error));

let next = 0;
const kept: string[] = [];
async function insert(database: Database): Promise<void> {
  const key = `${next++} `.padEnd(3_000, '.');
  await database.run(INSERT, [key]);
  kept.push(key);
}

async function untilRefused(database: Database): Promise<string> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    try {
      await insert(database);
    } catch (error) {
      return codeOf(error);
    }
  }
  return 'never';
}

/** Whether the store holds exactly what it accepted. */
async function holdsAll(database: Database): Promise<boolean> {
  const rows = await database.all<{ key: string }>('SELECT key FROM rate_counts');
  const found = new Set(rows.map(({ key }) => key));
  return found.size === kept.length && kept.every((key) => found.has(key));
}

const database = await open();
await insert(database);
const ballast = join(dataFolder, 'ballast');
writeFileSync(ballast, new Uint8Array(1 << 20));
const refused = await untilRefused(database);
const frozen = database.frozen?.code ?? null;
const transaction = await database
  .transaction(async (within) => {
    for (let i = 0; i < 100; i += 1) await within.run(INSERT, [`lost ${i}`.padEnd(3_000, '.')]);
  })
  .then(() => 'kept', codeOf);
const keptWhileFull = await holdsAll(database);

rmSync(ballast);
await insert(database);
const frozenWithSpace = database.frozen?.code ?? null;
await database.close();
const again = await open();
const keptAfterReopen = await holdsAll(again);
await again.close();
process.send?.({ refused, frozen, transaction, keptWhileFull, frozenWithSpace, keptAfterReopen });
