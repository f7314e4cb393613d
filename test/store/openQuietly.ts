/** Opens a store with this Node's engine, and emits another warning. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, STORE_FILE } from '../../src/server/store/index.ts';

const dataFolder = process.argv[2] ?? '';
const database = await openStore({ databaseUrl: null, dataFolder });
// Only the build in WebAssembly locks its file with a folder.
const locked = existsSync(join(dataFolder, `${STORE_FILE}.lock`));
console.log(locked ? 'a lock folder' : 'no lock folder');
process.emitWarning("Somebody else's feature", 'ExperimentalWarning');
await database.close();
