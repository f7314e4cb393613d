/** Writes rows one after the other and reports each, until the process is killed. */
import { openStore } from '../../src/server/store/index.ts';

const [, , dataFolder = '', engine] = process.argv;
const sqlite = engine === 'node' ? 'node' : 'wasm';
const database = await openStore({ databaseUrl: null, dataFolder, sqlite });
for (let i = 0; ; i++) {
  await database.run('INSERT INTO rate_counts (key, window_start, count) VALUES (?, 0, 1)', [
    `row ${i}`,
  ]);
  process.send?.(i);
  if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
}
