// `npm run test:clients`: points other people's clients at the embedded network.

import { install, paidApi } from './prepare.mjs';
import { runSource } from './runSource.mjs';

await runSource('test/clients/main.ts', process.argv.slice(2), () => install(paidApi));
