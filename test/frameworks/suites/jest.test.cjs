// Ends while the network still warms up.
const { startLedger, useLedger } = require('svc-x402/ledger');

describe('a shop', () => {
  const ledger = useLedger(globalThis, { accounts: { count: 3, balance: '10000' } });
  for (const at of [0, 1, 2]) {
    it(`sells to ${at}`, async () => {
      expect(ledger.fundedAccounts[at]?.secret).toMatch(/^S/);
      await ledger.call('getHealth');
    });
  }
});

for (const options of [{ port: 0 }, { port: null }]) {
  for (const waitMs of [0, 51, 60, 100]) {
    it(`closes after ${waitMs} ms with port ${options.port}`, async () => {
      const ledger = await startLedger(options);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      await ledger.close();
    });
  }
}
