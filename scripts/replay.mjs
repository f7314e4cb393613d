// `npm run ledger:replay -- PATH…`: installs missing packages and runs the replayer from source.

import { runSource } from './runSource.mjs';

await runSource('network/src/replay/main.ts', process.argv.slice(2));
