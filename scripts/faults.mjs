// `npm run test:faults`: installs missing packages and runs the kill harness from source.

import { runSource } from './runSource.mjs';

await runSource('test/faults/main.ts', process.argv.slice(2));
