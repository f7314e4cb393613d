import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Account, Keypair, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { type RunningLedger, startLedger } from '../../src/index.ts';
import { decodeState } from '../../src/persistence/index.ts';
import { balanceOf, pay, sequenceOf } from './reading.ts';

const MANUAL = { port: null, close: { kind: 'manual' } } as const;

/** Sends a payment that then waits for a ledger. */
async function send(ledger: RunningLedger, from: Keypair, to: string): Promise<[string, string]> {
  const sequence = await sequenceOf(ledger, from.publicKey());
  const transaction = new TransactionBuilder(new Account(from.publicKey(), sequence), {
    fee: '100',
    networkPassphrase: ledger.passphrase,
  })
    .addOperation(Operation.createAccount({ destination: to, startingBalance: '5' }))
    .setTimeout(0)
    .build();
  transaction.sign(from);
  const text = transaction.toXdr();
  const sent = await ledger.call('sendTransaction', { transaction: text });
  assert.equal((sent as { status: string }).status, 'PENDING');
  return [hashOf(transaction), text];
}

function hashOf(transaction: { hash(): Uint8Array }): string {
  return Buffer.from(transaction.hash()).toString('hex');
}

async function statusOf(ledger: RunningLedger, hash: string): Promise<string> {
  return ((await ledger.call('getTransaction', { hash })) as { status: string }).status;
}

describe('a waiting transaction is dropped', () => {
  let ledger: RunningLedger;
  let friendbot: Keypair;
  before(async () => {
    ledger = await startLedger(MANUAL);
    friendbot = Keypair.fromSecret(ledger.accounts.friendbot.secret);
  });
  after(() => ledger.close());

  it('no ledger takes it, its source pays nothing, and it can be sent again', async () => {
    const to = Keypair.random().publicKey();
    const before = await balanceOf(ledger, friendbot.publicKey());
    const [hash, envelope] = await send(ledger, friendbot, to);
    assert.deepEqual(await ledger.control('svc_dropTransaction', { hash: hash.toUpperCase() }), {
      dropped: true,
    });
    ledger.closeLedger();
    assert.equal(await statusOf(ledger, hash), 'NOT_FOUND');
    assert.equal(await balanceOf(ledger, friendbot.publicKey()), before);

    await ledger.call('sendTransaction', { transaction: envelope });
    ledger.closeLedger();
    assert.equal(await statusOf(ledger, hash), 'SUCCESS');
    assert.equal(await balanceOf(ledger, to), 50_000_000n);
  });

  it('a fee bump is dropped by its hash, or by that of its inner transaction', async () => {
    const payer = Keypair.fromSecret(ledger.accounts.sponsor.secret);
    const sequence = await sequenceOf(ledger, friendbot.publicKey());
    const inner = new TransactionBuilder(new Account(friendbot.publicKey(), sequence), {
      fee: '100',
      networkPassphrase: ledger.passphrase,
    })
      .addOperation(Operation.bumpSequence({ bumpTo: '0' }))
      .setTimeout(0)
      .build();
    inner.sign(friendbot);
    const bump = TransactionBuilder.buildFeeBumpTransaction(payer, '200', inner, ledger.passphrase);
    bump.sign(payer);
    for (const named of [bump, inner]) {
      await ledger.call('sendTransaction', { transaction: bump.toXdr() });
      const hash = hashOf(named);
      assert.deepEqual(await ledger.control('svc_dropTransaction', { hash }), { dropped: true });
      assert.deepEqual(await ledger.control('svc_dropTransaction', { hash }), { dropped: false });
    }
  });

  it('a transaction in a ledger is not dropped, and a malformed hash is refused', async () => {
    const [hash] = await send(ledger, friendbot, Keypair.random().publicKey());
    ledger.closeLedger();
    assert.deepEqual(await ledger.control('svc_dropTransaction', { hash }), { dropped: false });
    assert.equal(await statusOf(ledger, hash), 'SUCCESS');
    await assert.rejects(
      ledger.control('svc_dropTransaction', { hash: 'abc' }),
      /hash must be a transaction hash of 64 hexadecimal digits/,
    );
  });
});

describe('a reset restores the network’s initial state', () => {
  let ledger: RunningLedger;
  let friendbot: Keypair;
  before(async () => {
    ledger = await startLedger({ ...MANUAL, accounts: { count: 2, balance: '50' } });
    friendbot = Keypair.fromSecret(ledger.accounts.friendbot.secret);
  });
  after(() => ledger.close());

  it('balances, sequence numbers and funded accounts are those of the start; ledgers continue', async () => {
    const [first, second] = ledger.fundedAccounts;
    assert.ok(first && second);
    const began = await balanceOf(ledger, friendbot.publicKey());
    const newcomer = Keypair.random().publicKey();
    await send(ledger, friendbot, newcomer);
    const { ledger: then } = await ledger.control('svc_closeLedger');
    assert.equal(
      await pay(ledger, Keypair.fromSecret(first.secret), second.address, '20'),
      'SUCCESS',
    );

    const { ledger: now } = await ledger.control('svc_reset');
    assert.equal(now, then + 2);
    assert.equal(await balanceOf(ledger, newcomer), undefined);
    assert.equal(await balanceOf(ledger, friendbot.publicKey()), began);
    assert.equal(await balanceOf(ledger, first.address), 500_000_000n);
    assert.equal(await balanceOf(ledger, second.address), 500_000_000n);
    assert.equal(
      await pay(ledger, Keypair.fromSecret(first.secret), second.address, '20'),
      'SUCCESS',
    );
  });

  it('waiting transactions, snapshots, faults and impersonation are gone', async () => {
    const [hash] = await send(ledger, friendbot, Keypair.random().publicKey());
    const { id } = await ledger.control('svc_snapshot');
    await ledger.control('svc_injectFault', { method: 'getHealth', kind: 'error5xx', times: 3 });
    const account = ledger.accounts.usdcIssuer;
    await ledger.control('svc_impersonate', { account, on: true });

    await ledger.control('svc_reset');
    ledger.closeLedger();
    assert.equal(await statusOf(ledger, hash), 'NOT_FOUND');
    await assert.rejects(ledger.control('svc_revert', { id }), /no snapshot with this id/);
    assert.deepEqual(await ledger.control('svc_clearFaults'), { cleared: 0 });
    const own = ledger.accounts.sponsor.address;
    const { accounts } = await ledger.control('svc_impersonate', { account: own, on: true });
    assert.deepEqual(accounts, [own]);
    await ledger.control('svc_impersonate', { account: own, on: false });
  });

  it('after an upgrade the protocol stays, and contracts of the start work as before', async () => {
    const older = await startLedger({ port: null, protocol: 27 });
    await older.control('svc_upgradeProtocol', { protocol: 28 });
    await older.control('svc_reset');
    const { protocolVersion } = (await older.call('getNetwork')) as { protocolVersion: number };
    assert.equal(Number(protocolVersion), 28);
    const account = Keypair.random().publicKey();
    await older.control('svc_setBalance', { account, asset: 'native', amount: '7' });
    assert.equal(await balanceOf(older, account), 70_000_000n);
    await older.close();
  });

  it('parameters are refused', async () => {
    const params = { hard: true } as unknown as Record<string, never>;
    await assert.rejects(ledger.control('svc_reset', params), /hard is not a parameter/);
  });
});

describe('funded accounts', () => {
  it('derive from the seed, have the requested balance, and count in the total of coins', async () => {
    const options = { ...MANUAL, seed: 'my suite', accounts: { count: 3, balance: '12.5' } };
    const [one, other] = await Promise.all([startLedger(options), startLedger(options)]);
    assert.deepEqual(one.fundedAccounts, other.fundedAccounts);
    assert.equal(new Set(one.fundedAccounts.map(({ secret }) => secret)).size, 3);
    for (const { address, secret } of one.fundedAccounts) {
      assert.equal(Keypair.fromSecret(secret).publicKey(), address);
      assert.equal(await balanceOf(one, address), 125_000_000n);
    }
    await Promise.all([one.close(), other.close()]);
  });

  it('have 10,000 XLM by default, and there are none by default', async () => {
    const some = await startLedger({ ...MANUAL, accounts: { count: 1 } });
    const none = await startLedger(MANUAL);
    assert.equal(await balanceOf(some, some.fundedAccounts[0]?.address ?? ''), 100_000_000_000n);
    assert.deepEqual(none.fundedAccounts, []);
    await Promise.all([some.close(), none.close()]);
  });

  it('too many accounts, and impossible balances, are refused', async () => {
    for (const count of [0, 1.5, 1_001, Number.NaN]) {
      await assert.rejects(
        startLedger({ ...MANUAL, accounts: { count } }),
        /number of accounts must be/,
      );
    }
    for (const balance of ['0.9', '', '-1', '1e3', '100000000.0000001']) {
      const accounts = { count: 1, balance };
      await assert.rejects(
        startLedger({ ...MANUAL, accounts }),
        /balance of an account must be from 1/,
      );
    }
  });
});

describe('the state after a reset', () => {
  /** Entries without what the number of ledgers decides: when they changed, and until when they live. */
  async function contentOf(ledger: RunningLedger): Promise<ReadonlyMap<string, string>> {
    const dump = await ledger.control('svc_dumpState');
    const state = decodeState(Buffer.from(dump.state, 'base64'));
    assert.ok(state);
    const entries = [...state.entries()].map(({ id, xdr: bytes }): [string, string] => {
      const { data } = xdr.LedgerEntry.fromXdr(bytes);
      return [id, data.type === 'ttl' ? '' : data.toXdr('base64')];
    });
    return new Map([...entries, ['coins', `${state.header.totalCoins}`]]);
  }

  it('equals, entry for entry, that of a new network with the same seed', async () => {
    const options = { ...MANUAL, seed: 'one' };
    const [fresh, used] = await Promise.all([startLedger(options), startLedger(options)]);
    const account = Keypair.random().publicKey();
    await used.control('svc_setBalance', { account, asset: 'native', amount: '5' });
    const usdc = `USDC:${used.accounts.usdcIssuer}`;
    await used.control('svc_setBalance', { account, asset: usdc, amount: '5' });
    await used.control('svc_advanceLedgers', { count: 20 });
    assert.notDeepEqual(await contentOf(used), await contentOf(fresh));
    await used.control('svc_reset');
    assert.deepEqual(await contentOf(used), await contentOf(fresh));
    await Promise.all([fresh.close(), used.close()]);
  });
});
