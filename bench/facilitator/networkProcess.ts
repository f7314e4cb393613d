// A network in its own process: `bundled('networkProcess.ts')` returns its file. Prints its addresses and accounts.

import { startLedger } from '../../network/src/index.ts';

startLedger({ port: 0, seed: 'bench of the facilitator' }).then(
  ({ urls, accounts }) => process.stdout.write(`${JSON.stringify({ urls, accounts })}\n`),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
