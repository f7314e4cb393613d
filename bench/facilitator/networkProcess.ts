// A network in a process of its own: `node --import tsx networkProcess.ts`. Prints where it is and who is there.

import { startLedger } from '../../src/ledger/index.ts';

const ledger = await startLedger({ port: 0, seed: 'bench of the facilitator' });
process.stdout.write(`${JSON.stringify({ urls: ledger.urls, accounts: ledger.accounts })}\n`);
