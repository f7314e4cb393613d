/** Writes to a store, waits for a message of its parent, tries to write again, and ends with or without closing the store. */
import { once } from 'node:events';
import { openStore, StoreError } from '../../src/server/store/index.ts';

const [, , dataFolder = '', engine, end] = process.argv;
const sqlite = engine === 'node' ? 'node' : 'wasm';
const database = await openStore({ databaseUrl: null, dataFolder, sqlite });
const insert = (key: string) =>
  database.run('INSERT INTO rate_counts (key, window_start, count) VALUES (?, 0, 1)', [key]);

for (let i = 0; i < 20; i += 1) await insert(`row ${i}`);
process.send?.('written');
await once(process, 'message');
// Longer than a holder trusts its last heartbeat.
await new Promise((resolve) => setTimeout(resolve, 1_500));
const answer = await insert('late').then(
  () => 'kept',
  (error: unknown) => (error instanceof StoreError ? error.code : String(error)),
);
if (end === 'close') await database.close();
process.send?.(answer);
process.disconnect();
