import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { Address, type Keypair, nativeToScVal, Operation, rpc } from '@stellar/stellar-sdk';
import { startLedger } from '../src/index.ts';
import { balanceOf } from './control/reading.ts';
import { type Scene, startScene } from './network/scene.ts';

const PASSPHRASE = 'The network that is forked';

describe('a network continues from another one', () => {
  let origin: Scene;
  let fork: Scene;
  let alice: Keypair;
  let bob: Keypair;

  before(async () => {
    origin = await startScene({ passphrase: PASSPHRASE, seed: 'origin' });
    [alice, bob] = await Promise.all([origin.account(), origin.account()]);
    await origin.buyUsdc(alice, '100');
    await origin.submit(await origin.signed(bob, Operation.changeTrust({ asset: origin.usdc })));
    const rpcUrl = origin.ledger.urls?.rpc ?? '';
    fork = await startScene({ fork: { rpcUrl }, seed: 'fork', close: { kind: 'demand' } });
  });
  after(async () => {
    await fork[Symbol.asyncDispose]();
    await origin[Symbol.asyncDispose]();
  });

  it('with its passphrase, its settings, and the ledger after its last', async () => {
    assert.equal(fork.ledger.passphrase, PASSPHRASE);
    const [here, there] = await Promise.all([
      fork.server.getHealth(),
      origin.server.getLatestLedger(),
    ]);
    assert.equal(here.oldestLedger, there.sequence + 1);
  });

  it('accounts of the other network exist, through RPC and through Horizon', async () => {
    const there = await origin.server.getAccountEntry(alice.publicKey());
    const here = await fork.server.getAccountEntry(alice.publicKey());
    assert.equal(here.balance, there.balance);
    assert.equal(here.seqNum, there.seqNum);
    const horizon = await fetch(`${fork.url}/accounts/${bob.publicKey()}`);
    assert.equal(horizon.status, 200);
  });

  it('friendbot knows that they exist, and tops them up', async () => {
    const before = (await fork.server.getAccountEntry(alice.publicKey())).balance;
    const answer = await fetch(`${fork.url}/friendbot?addr=${alice.publicKey()}`);
    assert.equal(answer.status, 200);
    const { balance } = await fork.server.getAccountEntry(alice.publicKey());
    assert.equal(balance, before + 100_000_000_000n);
  });

  it('a payment between them is made here and not there', async () => {
    const payment = Operation.payment({
      destination: bob.publicKey(),
      asset: fork.usdc,
      amount: '40',
    });
    await fork.submit(await fork.signed(alice, payment));
    assert.equal(await balanceOf(fork.ledger, bob.publicKey(), fork.usdc), 400_000_000n);
    assert.equal(await balanceOf(fork.ledger, alice.publicKey(), fork.usdc), 600_000_000n);
    assert.equal(await balanceOf(origin.ledger, bob.publicKey(), origin.usdc), 0n);
  });

  it("a contract of the other network is simulated and run, with the other network's entries", async () => {
    const transfer = Operation.invokeContractFunction({
      contract: fork.ledger.accounts.usdcContract,
      function: 'transfer',
      args: [
        new Address(alice.publicKey()).toScVal(),
        new Address(bob.publicKey()).toScVal(),
        nativeToScVal(70_000_000n, { type: 'i128' }),
      ],
    });
    const simulated = await fork.server.simulateTransaction(await fork.signed(alice, transfer));
    assert.ok(rpc.Api.isSimulationSuccess(simulated), JSON.stringify(simulated));
    const plain = await fork.signed(alice, transfer);
    const ready = rpc.assembleTransaction(plain, simulated).build();
    ready.sign(alice);
    await fork.submit(ready);
    assert.equal(await balanceOf(fork.ledger, bob.publicKey(), fork.usdc), 470_000_000n);
  });

  it('an entry that was read once stays unchanged, whatever happens to it there', async () => {
    const payment = Operation.payment({
      destination: bob.publicKey(),
      asset: origin.usdc,
      amount: '1',
    });
    await origin.submit(await origin.signed(alice, payment));
    assert.equal(await balanceOf(fork.ledger, bob.publicKey(), fork.usdc), 470_000_000n);
  });

  it('an entry that was removed here does not return', async () => {
    const line = Operation.payment({
      destination: alice.publicKey(),
      asset: fork.usdc,
      amount: '47',
    });
    await fork.submit(await fork.signed(bob, line));
    const close = Operation.changeTrust({ asset: fork.usdc, limit: '0' });
    await fork.submit(await fork.signed(bob, close));
    assert.equal(await balanceOf(fork.ledger, bob.publicKey(), fork.usdc), undefined);
  });

  it('after a reset its entries are read again, with their new values', async () => {
    await fork.ledger.control('svc_reset');
    assert.equal(await balanceOf(fork.ledger, bob.publicKey(), fork.usdc), 10_000_000n);
    assert.equal(await balanceOf(fork.ledger, alice.publicKey(), fork.usdc), 990_000_000n);
  });
});

describe('a fork from a given ledger', () => {
  let origin: Scene;
  before(async () => {
    origin = await startScene({ close: { kind: 'manual' } });
  });
  after(() => origin[Symbol.asyncDispose]());

  it('begins after it, and refuses entries that changed since', async () => {
    const early = await origin.account();
    const { sequence: at } = await origin.server.getLatestLedger();
    const late = await origin.account();
    const fork = await startLedger({
      port: null,
      close: { kind: 'manual' },
      fork: { rpcUrl: origin.ledger.urls?.rpc ?? '', at },
    });
    const { sequence } = (await fork.call('getLatestLedger')) as { sequence: number };
    assert.equal(sequence, at + 1);
    assert.equal(await balanceOf(fork, early.publicKey()), 100_000_000_000n);
    await assert.rejects(balanceOf(fork, late.publicKey()), { code: 'CHANGED_SINCE' });
    await fork.close();
  });

  it('or from an unreadable network, fails with a message', async () => {
    const rpcUrl = origin.ledger.urls?.rpc ?? '';
    const start = (options: object) =>
      startLedger({ port: null, fork: { rpcUrl }, ...options }).then(async (ledger) => {
        await ledger.close();
        assert.fail('it started');
      });
    await assert.rejects(start({ fork: { rpcUrl: 'http://127.0.0.1:9' } }), {
      code: 'UNREACHABLE',
    });
    await assert.rejects(start({ fork: { rpcUrl, at: 999_999 } }), { code: 'UNREACHABLE' });
    await assert.rejects(start({ passphrase: 'another' }), { code: 'BAD_OPTIONS' });
    await assert.rejects(start({ dataFolder: tmpdir() }), { code: 'BAD_OPTIONS' });
  });
});
