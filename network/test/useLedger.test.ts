import assert from 'node:assert/strict';
import * as hooks from 'node:test';
import { Horizon } from '@stellar/stellar-sdk';
import { useLedger } from '../src/index.ts';

const { before, beforeEach, describe, it } = hooks;

describe('A suite with a network of its own', () => {
  const ledger = useLedger(hooks, { accounts: { count: 2, balance: '1000' } });

  const balance = async (account = 0): Promise<string | undefined> => {
    const { horizon = '' } = ledger.urls ?? {};
    const server = new Horizon.Server(horizon, { allowHttp: true });
    const loaded = await server.loadAccount(ledger.fundedAccounts[account]?.address ?? '');
    return loaded.balances[0]?.balance;
  };
  const set = (amount: string, account = 0) =>
    ledger.control('svc_setBalance', {
      account: ledger.fundedAccounts[account]?.address ?? '',
      asset: 'native',
      amount,
    });

  before(() => set('1', 1).then(() => undefined));

  it('begins each test with the state that its hooks have set up', async () => {
    assert.equal(await balance(0), '1000.0000000');
    assert.equal(await balance(1), '1.0000000');
    await set('2', 0);
    await set('2', 1);
    assert.equal(await balance(0), '2.0000000');
  });

  it('undoes the changes of the test before', async () => {
    assert.equal(await balance(0), '1000.0000000');
    assert.equal(await balance(1), '1.0000000');
  });

  it('also undoes the changes of a failed test, and time continues', async () => {
    const { sequence } = (await ledger.call('getLatestLedger')) as { sequence: number };
    await set('3');
    assert.ok(ledger.closeLedger() > sequence);
  });

  describe('and suites within it', () => {
    before(() => set('5').then(() => undefined));
    beforeEach(() => set('6', 1).then(() => undefined));

    for (const test of ['one', 'another']) {
      it(`keep what they set up for all of their tests: ${test}`, async () => {
        assert.equal(await balance(0), '5.0000000');
        assert.equal(await balance(1), '6.0000000');
        await set('7', 0);
      });
    }
  });
});

describe('useLedger', () => {
  it('refuses an object without hooks, and says what to pass', () => {
    assert.throws(() => useLedger({}), /pass the module `node:test` or `vitest`/);
    // The test runner of Node has no hooks as globals.
    assert.throws(() => useLedger(), TypeError);
  });

  it('reports a network that is used before it runs', () => {
    const none = () => undefined;
    const ledger = useLedger({ before: none, after: none, beforeEach: none, afterEach: none });
    assert.throws(() => ledger.urls, /only within hooks and tests/);
  });
});
