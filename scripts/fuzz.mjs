// `npm run test:fuzz [-- BODIES [SEED]]`: installs what is missing and sends mutated bodies by the thousand; with `--cost` it
// looks for what costs the service most.

import { runSource } from './runSource.mjs';

await runSource('test/fuzz/main.ts', process.argv.slice(2));
