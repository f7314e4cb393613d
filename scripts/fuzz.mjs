// `npm run test:fuzz [-- BODIES [SEED]]`: installs missing packages and sends thousands of mutated bodies; with `--cost` it
// searches for the requests that cost the service most.

import { runSource } from './runSource.mjs';

await runSource('test/fuzz/main.ts', process.argv.slice(2));
