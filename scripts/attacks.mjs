// `npm run test:attacks`: installs what is missing and tries named attacks on the service and its network.

import { runSource } from './runSource.mjs';

await runSource('test/attacks/main.ts', process.argv.slice(2));
