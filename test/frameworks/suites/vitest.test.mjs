import assert from 'node:assert/strict';
import { useLedger } from 'svc-x402/ledger';
import * as vitest from 'vitest';

vitest.describe('a shop', () => {
  const ledger = useLedger(vitest, { accounts: { count: 3, balance: '10000' } });
  for (const at of [0, 1, 2]) {
    vitest.it(`sells to ${at}`, async () => {
      assert.match(ledger.fundedAccounts[at]?.secret ?? '', /^S/);
      await ledger.call('getHealth');
    });
  }
});
