// Calls of `@stellar/stellar-sdk` over an embedded network: Horizon, RPC and friendbot.
// It runs beside the installed package, which it imports by name.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import * as sdk from '@stellar/stellar-sdk';

const { Asset, Claimant, Contract, Keypair, Operation, TransactionBuilder, nativeToScVal } = sdk;
const { HORIZON_URL, RPC_URL, NETWORK_PASSPHRASE: networkPassphrase } = process.env;
const horizon = new sdk.Horizon.Server(HORIZON_URL, { allowHttp: true });
const rpc = new sdk.rpc.Server(RPC_URL, { allowHttp: true });
const native = Asset.native();
const issuer = Keypair.random();
const ada = Keypair.random();
const bob = Keypair.random();
const coin = new Asset('COIN', issuer.publicKey());
const pool = new sdk.LiquidityPoolAsset(native, coin, sdk.LiquidityPoolFeeV18);
const poolId = Buffer.from(
  sdk.getLiquidityPoolId('constant_product', {
    assetA: native,
    assetB: coin,
    fee: sdk.LiquidityPoolFeeV18,
  }),
).toString('hex');

async function build(signers, operations) {
  const account = await horizon.loadAccount(signers[0].publicKey());
  const builder = new TransactionBuilder(account, { fee: '1000', networkPassphrase });
  for (const operation of operations) builder.addOperation(operation);
  const transaction = builder.setTimeout(300).build();
  transaction.sign(...signers);
  return transaction;
}

/** Submits operations to Horizon and returns what they are called there. */
async function submit(signers, ...operations) {
  const transaction = await build(signers, operations);
  const answer = await horizon.submitTransaction(transaction);
  assert.equal(answer.successful, true);
  const { records } = await horizon.operations().forTransaction(answer.hash).call();
  await horizon.effects().forTransaction(answer.hash).call();
  return records.map(({ type }) => type);
}

/** Prepares, sends and waits for one contract call through RPC. */
async function call(signer, operation) {
  const account = await rpc.getAccount(signer.publicKey());
  const draft = new TransactionBuilder(account, { fee: '100', networkPassphrase })
    .addOperation(operation)
    .setTimeout(300)
    .build();
  const prepared = await rpc.prepareTransaction(draft);
  prepared.sign(signer);
  const sent = await rpc.sendTransaction(prepared);
  assert.equal(sent.status, 'PENDING');
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await rpc.getTransaction(sent.hash);
    if (answer.status !== 'NOT_FOUND') {
      assert.equal(answer.status, 'SUCCESS');
      return answer;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return assert.fail('the transaction was not found');
}

before(async () => {
  for (const pair of [issuer, ada, bob]) await horizon.friendbot(pair.publicKey()).call();
  await submit(
    [issuer],
    Operation.setOptions({ setFlags: sdk.AuthRevocableFlag | sdk.AuthClawbackEnabledFlag }),
  );
  for (const holder of [ada, bob]) {
    await submit(
      [holder, issuer],
      Operation.changeTrust({ asset: coin }),
      Operation.payment({
        source: issuer.publicKey(),
        destination: holder.publicKey(),
        asset: coin,
        amount: '1000',
      }),
    );
  }
});

describe('operations', () => {
  const takes = (type, signers, operations) =>
    it(type, async () => {
      assert.ok((await submit(signers(), ...operations())).includes(type));
    });
  const ofAda = () => [ada];
  const ofBob = () => [bob];
  const fresh = Keypair.random();
  takes('create_account', ofAda, () => [
    Operation.createAccount({ destination: fresh.publicKey(), startingBalance: '10' }),
  ]);
  takes('payment', ofAda, () => [
    Operation.payment({ destination: bob.publicKey(), asset: coin, amount: '1' }),
  ]);
  takes('manage_sell_offer', ofBob, () => [
    Operation.manageSellOffer({ selling: coin, buying: native, amount: '100', price: '2' }),
  ]);
  takes('manage_buy_offer', ofAda, () => [
    Operation.manageBuyOffer({ selling: native, buying: coin, buyAmount: '1', price: '2' }),
  ]);
  takes('create_passive_sell_offer', ofBob, () => [
    Operation.createPassiveSellOffer({ selling: coin, buying: native, amount: '5', price: '3' }),
  ]);
  takes('path_payment_strict_receive', ofAda, () => [
    Operation.pathPaymentStrictReceive({
      sendAsset: native,
      sendMax: '10',
      destination: ada.publicKey(),
      destAsset: coin,
      destAmount: '1',
    }),
  ]);
  takes('path_payment_strict_send', ofAda, () => [
    Operation.pathPaymentStrictSend({
      sendAsset: native,
      sendAmount: '4',
      destination: ada.publicKey(),
      destAsset: coin,
      destMin: '1',
    }),
  ]);
  takes('set_options', ofAda, () => [Operation.setOptions({ homeDomain: 'example.com' })]);
  takes('manage_data', ofAda, () => [Operation.manageData({ name: 'kept', value: 'value' })]);
  takes('bump_sequence', ofBob, () => [Operation.bumpSequence({ bumpTo: '0' })]);
  takes(
    'set_trust_line_flags',
    () => [issuer],
    () => [
      Operation.setTrustLineFlags({
        trustor: bob.publicKey(),
        asset: coin,
        flags: { authorized: true },
      }),
    ],
  );
  takes(
    'clawback',
    () => [issuer],
    () => [Operation.clawback({ from: bob.publicKey(), asset: coin, amount: '1' })],
  );
  takes('create_claimable_balance', ofAda, () => [
    Operation.createClaimableBalance({
      asset: coin,
      amount: '2',
      claimants: [new Claimant(bob.publicKey(), Claimant.predicateUnconditional())],
    }),
  ]);
  it('claim_claimable_balance', async () => {
    const { records } = await horizon.claimableBalances().claimant(bob.publicKey()).call();
    assert.equal(records.length, 1);
    const types = await submit(
      [bob],
      Operation.claimClaimableBalance({ balanceId: records[0].id }),
    );
    assert.deepEqual(types, ['claim_claimable_balance']);
  });
  it('begin and end_sponsoring_future_reserves', async () => {
    const poor = Keypair.random();
    const types = await submit(
      [ada, poor],
      Operation.beginSponsoringFutureReserves({ sponsoredId: poor.publicKey() }),
      Operation.createAccount({ destination: poor.publicKey(), startingBalance: '0' }),
      Operation.endSponsoringFutureReserves({ source: poor.publicKey() }),
    );
    assert.equal(types.length, 3);
    const { records } = await horizon.accounts().sponsor(ada.publicKey()).call();
    assert.deepEqual(
      records.map(({ id }) => id),
      [poor.publicKey()],
    );
  });
  takes('change_trust', ofAda, () => [Operation.changeTrust({ asset: pool })]);
  takes('liquidity_pool_deposit', ofAda, () => [
    Operation.liquidityPoolDeposit({
      liquidityPoolId: poolId,
      maxAmountA: '20',
      maxAmountB: '10',
      minPrice: '0.1',
      maxPrice: '10',
    }),
  ]);
  takes('liquidity_pool_withdraw', ofAda, () => [
    Operation.liquidityPoolWithdraw({
      liquidityPoolId: poolId,
      amount: '1',
      minAmountA: '0.1',
      minAmountB: '0.1',
    }),
  ]);
  takes(
    'account_merge',
    () => [fresh],
    () => [Operation.accountMerge({ destination: ada.publicKey() })],
  );
  it('a fee bump', async () => {
    const inner = await build(
      [bob],
      [Operation.payment({ destination: ada.publicKey(), asset: native, amount: '1' })],
    );
    const bump = TransactionBuilder.buildFeeBumpTransaction(ada, '2000', inner, networkPassphrase);
    bump.sign(ada);
    const answer = await horizon.submitTransaction(bump);
    assert.equal(answer.fee_account, ada.publicKey());
  });
  it('a failure with its codes', async () => {
    const transaction = await build(
      [ada],
      [Operation.payment({ destination: bob.publicKey(), asset: coin, amount: '100000000' })],
    );
    await assert.rejects(horizon.submitTransaction(transaction), ({ response }) => {
      assert.deepEqual(response.data.extras.result_codes, {
        transaction: 'tx_failed',
        operations: ['op_underfunded'],
      });
      return true;
    });
  });
});

describe('lists of Horizon', () => {
  const reads = (name, request, least = 1) =>
    it(name, async () => {
      const { records } = await request().call();
      assert.ok(records.length >= least, `${records.length} records`);
    });
  reads('accounts by asset', () => horizon.accounts().forAsset(coin), 2);
  reads('assets', () => horizon.assets().forCode('COIN').forIssuer(issuer.publicKey()));
  reads('effects', () => horizon.effects().forAccount(ada.publicKey()).limit(200), 10);
  reads('ledgers', () => horizon.ledgers().order('desc').limit(5), 5);
  reads('liquidity pools', () => horizon.liquidityPools().forAssets(native, coin));
  reads('offers', () => horizon.offers().forAccount(bob.publicKey()));
  reads('operations with transactions', () =>
    horizon.operations().forAccount(ada.publicKey()).join('transactions'),
  );
  reads('payments', () => horizon.payments().forAccount(ada.publicKey()));
  reads('strict receive paths', () => horizon.strictReceivePaths([native], coin, '1'));
  reads('strict send paths', () => horizon.strictSendPaths(native, '4', [coin]));
  reads('trades', () => horizon.trades().forAccount(ada.publicKey()));
  reads('trade aggregations', () =>
    horizon.tradeAggregation(
      native,
      coin,
      Date.now() - 3_600_000,
      Date.now() + 3_600_000,
      300_000,
      0,
    ),
  );
  reads('transactions', () => horizon.transactions().forAccount(ada.publicKey()).limit(3), 3);
  it('the order book', async () => {
    const book = await horizon.orderbook(native, coin).call();
    assert.ok(book.bids.length >= 1);
  });
  it('fee statistics and the base fee', async () => {
    assert.equal(await horizon.fetchBaseFee(), 100);
    assert.ok(Number((await horizon.feeStats()).last_ledger) > 2);
  });
  it('next and previous pages', async () => {
    const first = await horizon.transactions().forAccount(ada.publicKey()).limit(3).call();
    const second = await first.next();
    const back = await second.prev();
    assert.deepEqual(
      back.records.map(({ id }) => id).reverse(),
      first.records.map(({ id }) => id),
    );
  });
  it('a stream of payments', async () => {
    const heard = new Promise((resolve, reject) => {
      const stop = horizon
        .payments()
        .forAccount(bob.publicKey())
        .cursor('now')
        .stream({
          onmessage: (payment) => {
            stop();
            resolve(payment);
          },
          onerror: reject,
        });
    });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await submit(
      [ada],
      Operation.payment({ destination: bob.publicKey(), asset: native, amount: '3' }),
    );
    assert.equal((await heard).amount, '3.0000000');
  });
});

describe('methods of RPC', () => {
  it('getHealth', async () => assert.equal((await rpc.getHealth()).status, 'healthy'));
  it('getNetwork', async () =>
    assert.equal((await rpc.getNetwork()).passphrase, networkPassphrase));
  it('getVersionInfo', async () =>
    assert.ok(Number((await rpc.getVersionInfo()).protocolVersion) >= 27));
  it('getFeeStats', async () => assert.ok((await rpc.getFeeStats()).sorobanInclusionFee));
  it('getLatestLedger', async () => assert.ok((await rpc.getLatestLedger()).sequence > 2));
  it('getLedgers', async () => {
    const { ledgers } = await rpc.getLedgers({ startLedger: 2, pagination: { limit: 3 } });
    assert.equal(ledgers.length, 3);
  });
  it('getTransactions', async () => {
    const { transactions } = await rpc.getTransactions({ startLedger: 2 });
    assert.ok(transactions.length > 0);
  });
  it('deploys the contract of an asset', () =>
    call(issuer, Operation.createStellarAssetContract({ asset: coin })));
  it('transfers in a contract, and finds the event', async () => {
    const id = coin.contractId(networkPassphrase);
    const party = (pair) => new sdk.Address(pair.publicKey()).toScVal();
    const transfer = new Contract(id).call(
      'transfer',
      party(ada),
      party(bob),
      nativeToScVal(7n, { type: 'i128' }),
    );
    const settled = await call(ada, transfer);
    const { events } = await rpc.getEvents({
      startLedger: settled.ledger,
      filters: [{ type: 'contract', contractIds: [id] }],
    });
    assert.equal(events.length, 1);
    assert.equal(sdk.scValToNative(events[0].topic[0]), 'transfer');
    assert.equal(sdk.scValToNative(settled.returnValue), null);
  });
  it('reads the instance of a contract, and extends it', async () => {
    const contract = new Contract(coin.contractId(networkPassphrase));
    const { entries } = await rpc.getLedgerEntries(contract.getFootprint());
    assert.equal(entries.length, 1);
    const data = new sdk.SorobanDataBuilder().setReadOnly([contract.getFootprint()]).build();
    const account = await rpc.getAccount(ada.publicKey());
    const draft = new TransactionBuilder(account, { fee: '100', networkPassphrase })
      .addOperation(Operation.extendFootprintTtl({ extendTo: 300_000 }))
      .setSorobanData(data)
      .setTimeout(300)
      .build();
    const prepared = await rpc.prepareTransaction(draft);
    prepared.sign(ada);
    const { hash } = await rpc.sendTransaction(prepared);
    const answer = await rpc.pollTransaction(hash, { attempts: 50, sleepStrategy: () => 50 });
    assert.equal(answer.status, 'SUCCESS');
  });
  it('a contract client from its specification', async () => {
    const { Client } = sdk.contract;
    const contractId = coin.contractId(networkPassphrase);
    const options = { contractId, networkPassphrase, rpcUrl: RPC_URL, allowHttp: true };
    const client = await Client.from({ ...options, publicKey: ada.publicKey() });
    assert.equal((await client.decimals()).result, 7);
    assert.ok((await client.balance({ id: bob.publicKey() })).result > 0n);
  });
  it('a refused simulation gives its reason', async () => {
    const id = coin.contractId(networkPassphrase);
    const account = await rpc.getAccount(ada.publicKey());
    const draft = new TransactionBuilder(account, { fee: '100', networkPassphrase })
      .addOperation(new Contract(id).call('nothing'))
      .setTimeout(300)
      .build();
    const answer = await rpc.simulateTransaction(draft);
    assert.ok(sdk.rpc.Api.isSimulationError(answer));
    assert.match(answer.error, /HostError/);
  });
  it('friendbot gives an account that is there already its XLM', async () => {
    const fresh = Keypair.random().publicKey();
    const account = await rpc.requestAirdrop(fresh);
    assert.equal(account.accountId(), fresh);
    assert.equal((await rpc.requestAirdrop(fresh)).accountId(), fresh);
  });
});
