// `npm run test:clients`: runs third-party clients against the embedded network.

import { install, paidApi } from './prepare.mjs';
import { runSource } from './runSource.mjs';

await runSource('test/clients/main.ts', process.argv.slice(2), () => install(paidApi));
