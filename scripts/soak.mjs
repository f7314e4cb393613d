// `npm run test:soak`: installs and builds missing parts, and runs the soak test from source.

import { join } from 'node:path';
import { buildIfStale, install, root } from './prepare.mjs';
import { runSource } from './runSource.mjs';

await runSource('test/soak/main.ts', process.argv.slice(2), async () => {
  await install(join(root, 'bench', 'plots'));
  await buildIfStale();
});
