import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { encodeHeaderMessage } from '../../src/protocol/index.ts';
import {
  accountSigner,
  connectRpc,
  fetchTransport,
  type HttpResponse,
  PaymentOutcomeUnknownError,
  PaymentRejectedError,
  payForResource,
  SettledWithoutResourceError,
  webPlatform,
} from '../../src/sdk/exact/index.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { type LocalNetwork, startLocalNetwork } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';

const HASH = 'ab'.repeat(32);

function answer(status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return {
    status,
    headers: { get: (name) => headers[name.toUpperCase()] ?? null },
    text: () => Promise.resolve(''),
  };
}

const settled = (status: number, settlement: object) =>
  answer(status, { 'PAYMENT-RESPONSE': encodeHeaderMessage(settlement) });

describe('[spec: SDK errors/Never twice] one request is never paid twice', () => {
  let local: LocalNetwork;
  let payer: TestKey;
  let payTo: TestKey;

  before(async () => {
    local = await startLocalNetwork();
    [payer, payTo] = await Promise.all([openPayer(local), openSeller(local)]);
  });
  after(() => local.close());

  const terms = () =>
    answer(402, {
      'PAYMENT-REQUIRED': encodeHeaderMessage({
        x402Version: 2,
        resource: { url: 'http://127.0.0.1/paid' },
        accepts: [
          {
            scheme: 'exact',
            network: 'stellar:testnet',
            asset: USDC,
            amount: '100000',
            payTo: payTo.address,
            maxTimeoutSeconds: 60,
            extra: { areFeesSponsored: true },
          },
        ],
      }),
    });

  /** Pays a seller that answers each paid request by the script. */
  async function pay(script: readonly (() => HttpResponse)[]) {
    const paid: Readonly<Record<string, string>>[] = [];
    const result = payForResource(
      async (headers) => {
        if (headers['PAYMENT-SIGNATURE'] === undefined) return terms();
        paid.push(headers);
        const next = script[paid.length - 1];
        assert.ok(next, 'no further payment may be made');
        return next();
      },
      {
        signer: accountSigner(payer.address, payer.sign),
        rpc: connectRpc(local.rpcUrl, fetchTransport(fetch)),
        platform: webPlatform(webcrypto as Parameters<typeof webPlatform>[0]),
        now: Date.now,
      },
    );
    const failure = await result.then(
      () => undefined,
      (error: unknown) => error,
    );
    return { paid, failure, result };
  }

  it('settled, according to the seller, but the resource failed: an error with the hash', async () => {
    for (const status of [500, 404, 402]) {
      const { paid, failure } = await pay([
        () => settled(status, { success: true, transaction: HASH, network: 'stellar:testnet' }),
      ]);
      assert.equal(paid.length, 1);
      assert.ok(failure instanceof SettledWithoutResourceError);
      assert.equal(failure.transaction, HASH);
      assert.equal(failure.status, status);
      // Nothing settled on the ledger: the seller's word does not prove anything (test/sdk/moneyMoved.test.ts).
      assert.equal(failure.moneyMoved, 'not_yet');
    }
  });

  it('no response, or one that does not mention the payment: it can still settle', async () => {
    const broken = await pay([
      () => {
        throw new Error('connection lost');
      },
    ]);
    const gateway = await pay([() => answer(502)]);
    for (const { paid, failure } of [broken, gateway]) {
      assert.equal(paid.length, 1);
      assert.ok(failure instanceof PaymentOutcomeUnknownError);
      assert.equal(failure.moneyMoved, 'not_yet');
      assert.ok(failure.expirationLedger > 0);
    }
  });

  it('[spec: Settlement outcomes/Failed on the ledger] submitted and failed on the ledger: refused, not retried', async () => {
    const { paid, failure } = await pay([
      () =>
        settled(402, {
          success: false,
          transaction: HASH,
          errorReason: 'settle_exact_stellar_transaction_failed',
        }),
    ]);
    assert.equal(paid.length, 1);
    assert.ok(failure instanceof PaymentRejectedError);
    assert.equal(failure.moneyMoved, 'not_yet');
    assert.equal(failure.transaction, HASH);
  });

  it('[spec: Settlement outcomes/Never submitted] never submitted: the same payment is presented once more, and nothing else is signed', async () => {
    const failed = () =>
      settled(402, {
        success: false,
        transaction: '',
        errorReason: 'settle_exact_stellar_transaction_submission_failed',
      });
    const good = () => settled(200, { success: true, transaction: HASH });
    const { paid, result } = await pay([failed, good]);
    assert.equal((await result).payment?.settlement?.transaction, HASH);
    const [first, second] = paid;
    assert.ok(first);
    assert.deepEqual(first, second);

    const twice = await pay([failed, failed]);
    assert.equal(twice.paid.length, 2);
    assert.ok(twice.failure instanceof PaymentRejectedError);
    assert.equal(twice.failure.moneyMoved, 'not_yet');
  });

  it('refused for a permanent reason: not retried', async () => {
    const { paid, failure } = await pay([
      () => settled(402, { success: false, transaction: '', errorReason: 'settlement_refused' }),
    ]);
    assert.equal(paid.length, 1);
    assert.ok(failure instanceof PaymentRejectedError);
    assert.equal(failure.reason, 'settlement_refused');
  });

  it('[spec: Settlement outcomes/Verify-stage rejection] refused at verification: the reason of the new terms', async () => {
    const { paid, failure } = await pay([terms]);
    assert.equal(paid.length, 1);
    assert.ok(failure instanceof PaymentRejectedError);
    assert.equal(failure.reason, 'no reason given');
  });
});
