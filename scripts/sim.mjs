// `npm run test:sim`: installs missing packages and runs the simulation from source.

import { runSource } from './runSource.mjs';

await runSource('test/sim/main.ts', process.argv.slice(2));
