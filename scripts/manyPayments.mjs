// `node scripts/manyPayments.mjs`: installs missing packages, builds, and pays through three instances behind HAProxy.

import { buildIfStale } from './prepare.mjs';
import { runSource } from './runSource.mjs';

await runSource('test/operate/main.ts', process.argv.slice(2), buildIfStale);
