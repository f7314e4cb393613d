import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RunningLedger, startLedger } from '../../src/index.ts';
import { type HorizonServer, horizonServer, SDKS, type Sdk } from './sdks.ts';

const network: Promise<RunningLedger> = startLedger({ port: 0, seed: 'horizon submissions' });
after(async () => (await network).close());

/** What Horizon says of a submission that failed, as the clients hand it on. */
interface Refusal {
  readonly response: {
    readonly status: number;
    readonly data: {
      readonly type: string;
      readonly extras: {
        readonly envelope_xdr: string;
        readonly result_xdr: string;
        readonly result_codes: Record<string, unknown>;
        readonly hash: string;
      };
    };
  };
}

for (const { version, load } of SDKS) {
  describe(`Transactions are submitted by the Stellar SDK ${version}`, () => {
    let sdk: Sdk;
    let server: HorizonServer;
    let url: string;
    let passphrase: string;
    let payer: InstanceType<Sdk['Keypair']>;
    let payee: InstanceType<Sdk['Keypair']>;
    before(async () => {
      sdk = await load();
      const ledger = await network;
      url = ledger.urls?.horizon ?? '';
      passphrase = ledger.passphrase;
      server = horizonServer(sdk, url);
      [payer, payee] = [sdk.Keypair.random(), sdk.Keypair.random()];
      for (const account of [payer, payee]) {
        const funded = await server.friendbot(account.publicKey()).call();
        assert.equal(funded['successful'], true);
      }
    });

    type Operation = ReturnType<Sdk['Operation']['payment']>;

    async function build(source: typeof payer, operation: Operation, sign = true) {
      const account = await server.loadAccount(source.publicKey());
      const options = { fee: '100', networkPassphrase: passphrase };
      const transaction = new sdk.TransactionBuilder(account, options)
        .addOperation(operation)
        .setTimeout(60)
        .build();
      if (sign) transaction.sign(source);
      return transaction;
    }

    function pay(amount: string, sign = true) {
      const destination = payee.publicKey();
      const payment = { destination, asset: sdk.Asset.native(), amount };
      return build(payer, sdk.Operation.payment(payment), sign);
    }

    async function refusal(submission: Promise<unknown>): Promise<Refusal['response']> {
      let refused: unknown;
      await submission.catch((error: unknown) => {
        refused = error;
      });
      assert.ok(refused !== undefined, 'it was refused');
      return (refused as Refusal).response;
    }

    it('and answered with the transaction once its ledger closed', async () => {
      const transaction = await pay('1');
      const answer = await server.submitTransaction(transaction);
      assert.equal(answer.successful, true);
      assert.equal(answer.hash, Buffer.from(transaction.hash()).toString('hex'));
      const found = await server.transactions().transaction(answer.hash).call();
      assert.equal(found.ledger_attr, answer.ledger);
    });

    it('and answered the same way when they are sent again', async () => {
      const transaction = await pay('1');
      const first = await server.submitTransaction(transaction);
      const second = await server.submitTransaction(transaction);
      assert.deepEqual(second, first);
    });

    it('or fail in a ledger, with the codes of their operations', async () => {
      const transaction = await pay('1000000');
      const { status, data } = await refusal(server.submitTransaction(transaction));
      assert.equal(status, 400);
      assert.equal(data.type, 'https://stellar.org/horizon-errors/transaction_failed');
      assert.deepEqual(data.extras.result_codes, {
        transaction: 'tx_failed',
        operations: ['op_underfunded'],
      });
      assert.equal(data.extras.envelope_xdr, transaction.toXDR());
      assert.ok(data.extras.result_xdr.length > 0);
    });

    it('or are refused before any ledger, with their own code', async () => {
      const late = await pay('1');
      await server.submitTransaction(await pay('2'));
      const { status, data } = await refusal(server.submitTransaction(late));
      assert.equal(status, 400);
      assert.deepEqual(data.extras.result_codes, { transaction: 'tx_bad_seq' });
      const bad = await refusal(server.submitTransaction(await pay('1', false)));
      assert.deepEqual(bad.data.extras.result_codes, { transaction: 'tx_bad_auth' });
    });

    it('within a fee bump, with the codes of both', async () => {
      const inner = await pay('1000000');
      const bump = sdk.TransactionBuilder.buildFeeBumpTransaction(payer, '400', inner, passphrase);
      bump.sign(payer);
      const { data } = await refusal(server.submitTransaction(bump));
      assert.deepEqual(data.extras.result_codes, {
        transaction: 'tx_fee_bump_inner_failed',
        inner_transaction: 'tx_failed',
        operations: ['op_underfunded'],
      });
    });

    it('without waiting', async () => {
      const transaction = await pay('1');
      const answer = await server.submitAsyncTransaction(transaction);
      assert.equal(answer.tx_status, 'PENDING');
      assert.equal(answer.hash, Buffer.from(transaction.hash()).toString('hex'));
      const again = await refusal(server.submitAsyncTransaction(transaction));
      // It waits, or its ledger closed in the meantime.
      assert.ok([400, 409].includes(again.status), String(again.status));
    });

    it('unless their destination requires a memo and they have none (SEP-29)', async () => {
      const name = 'config.memo_required';
      const demand = sdk.Operation.manageData({ name, value: '1' });
      await server.submitTransaction(await build(payee, demand));
      const transaction = await pay('1');
      await assert.rejects(server.submitTransaction(transaction), /account requires memo/);
    });
  });
}

describe('Invalid submissions are refused as Horizon refuses them', () => {
  async function post(path: string, body: string, type: string): Promise<[number, unknown]> {
    const url = (await network).urls?.horizon ?? '';
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body,
    });
    return [response.status, ((await response.json()) as { type: unknown }).type];
  }
  const form = 'application/x-www-form-urlencoded';
  const errors = 'https://stellar.org/horizon-errors';

  for (const path of ['/transactions', '/transactions_async']) {
    it(`${path}: text that is not an envelope is malformed`, async () => {
      const malformed = [400, `${errors}/transaction_malformed`];
      assert.deepEqual(await post(path, 'tx=AAAA', form), malformed);
      assert.deepEqual(await post(path, 'tx=%21', form), malformed);
      assert.deepEqual(await post(path, '', form), malformed);
    });

    it(`${path}: only forms are read`, async () => {
      const answer = await post(path, '{"tx":"AAAA"}', 'application/json');
      assert.deepEqual(answer, [415, `${errors}/unsupported_media_type`]);
    });
  }
});

describe('A submission that no ledger includes', () => {
  it('times out, and returns its hash', { timeout: 60_000 }, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const ledger = await startLedger({ port: 0, seed: 'held', close: { kind: 'manual' } });
    const url = ledger.urls?.horizon ?? '';
    const { Horizon, Keypair, Operation, Asset, TransactionBuilder } = await import(
      '@stellar/stellar-sdk'
    );
    const { address, secret } = ledger.accounts.friendbot;
    const account = await new Horizon.Server(url, { allowHttp: true }).loadAccount(address);
    const transaction = new TransactionBuilder(account, {
      fee: '100',
      networkPassphrase: ledger.passphrase,
    })
      .addOperation(Operation.payment({ destination: address, asset: Asset.native(), amount: '1' }))
      .setTimeout(0)
      .build();
    transaction.sign(Keypair.fromSecret(secret));
    const answer = fetch(`${url}/transactions`, {
      method: 'POST',
      body: new URLSearchParams({ tx: transaction.toXDR() }),
    });
    await new Promise((resolve) => setImmediate(resolve));
    for (let waited = 0; waited < 100; waited++) {
      await new Promise((resolve) => setImmediate(resolve));
      t.mock.timers.tick(1_000);
    }
    const response = await answer;
    const { type, extras } = (await response.json()) as { type: string; extras: { hash: string } };
    assert.equal(response.status, 504);
    assert.equal(type, 'https://stellar.org/horizon-errors/transaction_submission_timeout');
    assert.equal(extras.hash, Buffer.from(transaction.hash()).toString('hex'));
    t.mock.timers.reset();
    await ledger.close();
  });
});
