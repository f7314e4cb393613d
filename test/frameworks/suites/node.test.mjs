import assert from 'node:assert/strict';
import * as hooks from 'node:test';
import { useLedger } from 'svc-x402/ledger';

hooks.describe('a shop', () => {
  const ledger = useLedger(hooks, { accounts: { count: 3, balance: '10000' } });
  for (const at of [0, 1, 2]) {
    hooks.it(`sells to ${at}`, async () => {
      assert.match(ledger.fundedAccounts[at]?.secret ?? '', /^S/);
      await ledger.call('getHealth');
    });
  }
});
