// A network in a process of its own: `bundled('networkProcess.ts')` gives its file. Prints where it is and who is there.

import { startLedger } from '../../src/ledger/index.ts';

startLedger({ port: 0, seed: 'bench of the facilitator' }).then(
  ({ urls, accounts }) => process.stdout.write(`${JSON.stringify({ urls, accounts })}\n`),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
