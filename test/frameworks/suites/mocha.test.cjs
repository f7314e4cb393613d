const assert = require('node:assert/strict');
const { useLedger } = require('svc-x402/ledger');

describe('a shop', () => {
  const ledger = useLedger(globalThis, { accounts: { count: 3, balance: '10000' } });
  for (const at of [0, 1, 2]) {
    it(`sells to ${at}`, async () => {
      assert.match(ledger.fundedAccounts[at]?.secret ?? '', /^S/);
      await ledger.call('getHealth');
    });
  }
});
