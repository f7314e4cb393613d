// `npm run test:outside`: installs and builds missing parts, then runs the harness from source.

import { buildIfStale } from './prepare.mjs';
import { runSource } from './runSource.mjs';

await runSource('test/outside/main.ts', process.argv.slice(2), buildIfStale);
