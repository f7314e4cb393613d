// `npm run test:locks`: installs what is missing and runs the rounds from their sources.

import { runSource } from './runSource.mjs';

await runSource('test/machine/main.ts', process.argv.slice(2));
