// `npm run test:locks`: installs missing packages and runs the lock tests from source.

import { runSource } from './runSource.mjs';

await runSource('test/machine/main.ts', process.argv.slice(2));
