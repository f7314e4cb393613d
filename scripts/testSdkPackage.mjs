// `npm run test:sdk-package`: installs and builds missing parts, then runs the harness from source.

import { buildIfStale, declareIfStale } from './prepare.mjs';
import { runSource } from './runSource.mjs';

await runSource('test/sdk-package/main.ts', process.argv.slice(2), async () => {
  await buildIfStale();
  await declareIfStale();
});
