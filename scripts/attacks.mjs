// `npm run test:attacks`: installs missing packages and tries named attacks on the service and its network.

import { runSource } from './runSource.mjs';

await runSource('test/attacks/main.ts', process.argv.slice(2));
