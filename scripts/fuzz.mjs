// `npm run test:fuzz [-- BODIES [SEED]]`: installs missing packages and sends mutated bodies by the thousand; with `--cost` it
// looks for the requests that cost the service most.

import { runSource } from './runSource.mjs';

await runSource('test/fuzz/main.ts', process.argv.slice(2));
