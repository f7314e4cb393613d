// `npm run bench -- NAME [OPTION…]`: installs and builds what is missing and runs bench/NAME.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale, root } from './prepare.mjs';
import { runSource } from './runSource.mjs';

const [name, ...args] = process.argv.slice(2);
const benches = readdirSync(join(root, 'bench')).filter((folder) =>
  existsSync(join(root, 'bench', folder, 'main.ts')),
);
if (!benches.includes(name)) {
  console.error(`usage: npm run bench -- NAME, where NAME is one of: ${benches.join(', ')}`);
  process.exit(2);
}
await runSource(`bench/${name}/main.ts`, args, buildIfStale);
