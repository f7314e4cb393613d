import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  Account,
  Address,
  authorizeEntry,
  type Keypair,
  nativeToScVal,
  Operation,
  rpc,
  scValToNative,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';
import { type Scene, startScene } from './scene.ts';

/** The account of 32 zero bytes, which nobody has: clients that do not pay the fee simulate with it. */
const NOBODY = 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF';
const BOUGHT = 100_000_000n;

describe('a USDC payment by authorization entry', () => {
  let scene: Scene;
  let payer: Keypair;
  let payee: Keypair;
  let sponsor: Keypair;

  before(async () => {
    scene = await startScene();
    [payer, payee, sponsor] = await Promise.all([
      scene.account(),
      scene.account(),
      scene.account(),
    ]);
    await scene.buyUsdc(payer, '10');
    const trust = Operation.changeTrust({ asset: scene.usdc });
    await scene.submit(await scene.signed(payee, trust));
  });
  after(() => scene[Symbol.asyncDispose]());

  function transferOf(
    source: Account,
    amount: bigint,
    auth: xdr.SorobanAuthorizationEntry[] = [],
  ): Transaction {
    const transfer = Operation.invokeContractFunction({
      contract: scene.ledger.accounts.usdcContract,
      function: 'transfer',
      args: [
        new Address(payer.publicKey()).toScVal(),
        new Address(payee.publicKey()).toScVal(),
        nativeToScVal(amount, { type: 'i128' }),
      ],
      auth,
    });
    return new TransactionBuilder(source, {
      fee: '100',
      networkPassphrase: scene.ledger.passphrase,
    })
      .addOperation(transfer)
      .setTimeout(60)
      .build();
  }

  async function authorize(amount: bigint, ledgers = 60): Promise<xdr.SorobanAuthorizationEntry> {
    const recorded = await scene.server.simulateTransaction(
      transferOf(new Account(NOBODY, '0'), amount),
    );
    assert.ok(rpc.Api.isSimulationSuccess(recorded), JSON.stringify(recorded));
    const [entry] = recorded.result?.auth ?? [];
    assert.ok(entry);
    const { sequence } = await scene.server.getLatestLedger();
    return authorizeEntry(entry, payer, sequence + ledgers, scene.ledger.passphrase);
  }

  async function simulateAuthorized(amount: bigint, entry: xdr.SorobanAuthorizationEntry) {
    const source = await scene.server.getAccount(sponsor.publicKey());
    const transaction = transferOf(source, amount, [entry]);
    return { transaction, simulation: await scene.server.simulateTransaction(transaction) };
  }

  async function settle(amount: bigint, entry: xdr.SorobanAuthorizationEntry) {
    const { transaction, simulation } = await simulateAuthorized(amount, entry);
    assert.ok(rpc.Api.isSimulationSuccess(simulation), JSON.stringify(simulation));
    const ready = rpc.assembleTransaction(transaction, simulation).build();
    ready.sign(sponsor);
    return ready;
  }

  const balanceOf = async (owner: Keypair): Promise<bigint> => {
    const { balanceEntry } = await scene.server.getAssetBalance(owner.publicKey(), scene.usdc);
    return BigInt(balanceEntry?.amount ?? 0);
  };

  it('is simulated from an account that does not exist, signed, and settled by another account', async () => {
    const entry = await authorize(12_345n);
    // The SDK asks for the upgraded form, as stellar-rpc has honoured it since 27.1.
    assert.equal(entry.credentials.type, 'sorobanCredentialsAddressV2');
    const settled = await scene.submit(await settle(12_345n, entry));

    assert.equal(await balanceOf(payer), BOUGHT - 12_345n);
    assert.equal(await balanceOf(payee), 12_345n);
    const event = settled.events.contractEventsXdr[0]?.[0];
    assert.ok(event);
    assert.deepEqual(event.body.v0.topics.map(scValToNative), [
      'transfer',
      payer.publicKey(),
      payee.publicKey(),
      `USDC:${scene.ledger.accounts.usdcIssuer}`,
    ]);
    assert.equal(scValToNative(event.body.v0.data), 12_345n);

    const { events } = await scene.server._getTransaction(settled.txHash);
    assert.deepEqual(events?.contractEventsXdr, [[event.toXdr('base64')]]);
  });

  it('fails in simulation when another amount was signed', async () => {
    const { simulation } = await simulateAuthorized(2n, await authorize(1n));
    assert.ok(rpc.Api.isSimulationError(simulation));
    assert.match(simulation.error, /HostError: Error\(Auth, InvalidAction\)/);
    assert.ok(simulation.events.length > 0, 'the events say what happened');
  });

  it('fails in simulation when the authorization has expired', async () => {
    const entry = await authorize(1n, 1);
    scene.ledger.closeLedger();
    scene.ledger.closeLedger();
    const { simulation } = await simulateAuthorized(1n, entry);
    assert.ok(rpc.Api.isSimulationError(simulation));
    assert.match(simulation.error, /signature has expired/);
  });

  it('is settled once, however often it is sent', async () => {
    const entry = await authorize(7n);
    const before = await balanceOf(payee);
    const first = await settle(7n, entry);
    await scene.submit(first);
    const again = await simulateAuthorized(7n, entry);
    assert.ok(rpc.Api.isSimulationError(again.simulation));
    assert.match(again.simulation.error, /nonce already exists/);
    assert.equal(await balanceOf(payee), before + 7n);
  });

  it('costs the simulated amount: the rest of the resource fee is refunded', async () => {
    const ready = await settle(3n, await authorize(3n));
    const { resultXdr } = await scene.submit(ready);
    assert.ok(resultXdr.feeCharged <= BigInt(ready.fee));
    assert.ok(resultXdr.feeCharged > 100n);
  });
});
