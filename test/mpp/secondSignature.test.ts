import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import {
  chargeRequest,
  problemOf,
  readCredential,
  writeChallenge,
} from '../../src/protocol/mpp/index.ts';
import { accountSigner, createX402Fetch, lookUpPayment, X402Error } from '../../src/sdk/index.ts';
import { serve } from '../proxy/support/shop.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';

const PRICE = 100_000n;

describe('A buyer of our SDK signs once for a seller that asks by MPP and', () => {
  let stack: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;

  before(async () => {
    stack = await startLocalStack();
    payer = await openPayer(stack, 1_000_000_000n);
    payTo = await openSeller(stack);
  });
  after(() => stack?.close());

  /** Pays a seller that answers paid requests in its own way, and returns the error with the transactions that it got. */
  async function pay(answer: (response: ServerResponse, ask: () => void) => void) {
    const got: string[] = [];
    const seller = await serve((request, response) => {
      const ask = (): void => {
        const challenge = writeChallenge({
          ...{ id: `id ${got.length}`, realm: 'seller', method: 'stellar', intent: 'charge' },
          expires: new Date(Date.now() + 86_400_000).toISOString(),
          request: chargeRequest({
            ...{ amount: PRICE, asset: USDC, payTo: payTo.address, network: 'stellar:testnet' },
          }),
        });
        const text = JSON.stringify(problemOf('payment-required', 'Pay.'));
        response.writeHead(402, {
          ...{ 'www-authenticate': challenge, 'content-type': 'application/problem+json' },
          'content-length': Buffer.byteLength(text),
        });
        response.end(text);
      };
      const { authorization } = request.headers;
      if (authorization === undefined) return ask();
      got.push(String(readCredential(authorization)?.payload['transaction']));
      answer(response, ask);
    });
    const fetch = createX402Fetch({
      signer: accountSigner(payer.address, (hash) => payer.sign(Buffer.from(hash))),
      rpcUrl: stack.rpcUrl,
      allowedAssets: [USDC],
    });
    try {
      const error: unknown = await fetch(seller.url).then(
        () => assert.fail('nothing was sold'),
        (failed: unknown) => failed,
      );
      assert.ok(error instanceof X402Error, String(error));
      return { error, got };
    } finally {
      await seller.close();
    }
  }

  it('asks again: nothing else is signed, and the error says until when it can settle', async () => {
    const { error, got } = await pay((_, ask) => ask());
    assert.equal(got.length, 1);
    assert.deepEqual([error.code, error.moneyMoved], ['payment_rejected', 'not_yet']);
    assert.equal(error.fate?.state, 'open');
    assert.ok(error.payment);
    const outcome = await lookUpPayment(error.payment, { rpcUrl: stack.rpcUrl });
    assert.equal(outcome.moneyMoved, 'not_yet');
  });

  it('says that it was never submitted: the same bytes are presented once more', async () => {
    const body = {
      ...problemOf('settlement-failed', 'No.'),
      error: 'settle_exact_stellar_transaction_submission_failed',
    };
    const { error, got } = await pay((response) => {
      const text = JSON.stringify(body);
      response.writeHead(402, { 'content-length': Buffer.byteLength(text) });
      response.end(text);
    });
    assert.equal(got.length, 2);
    assert.equal(got[0], got[1]);
    assert.deepEqual([error.code, error.moneyMoved], ['payment_rejected', 'not_yet']);
  });

  it('names another problem: the reason is in the error', async () => {
    const body = JSON.stringify(problemOf('verification-failed', 'No.'));
    const { error, got } = await pay((response) => {
      response.writeHead(402, { 'content-length': Buffer.byteLength(body) });
      response.end(body);
    });
    assert.equal(got.length, 1);
    assert.equal('reason' in error ? error.reason : undefined, 'verification-failed');
  });

  for (const [name, write] of [
    ['does not know yet', (response: ServerResponse) => response.writeHead(503).end()],
    ['hangs up', (response: ServerResponse) => response.destroy()],
    ['denies the method', (response: ServerResponse) => response.writeHead(400).end()],
  ] as const) {
    it(`${name}: the outcome is open`, async () => {
      const { error, got } = await pay((response) => void write(response));
      assert.equal(got.length, 1);
      assert.deepEqual([error.code, error.moneyMoved], ['outcome_unknown', 'not_yet']);
    });
  }

  it('claims a success with a failure in its receipt', async () => {
    const receipt = Buffer.from(
      JSON.stringify({ method: 'stellar', status: 'failed', reference: '' }),
    ).toString('base64url');
    const { error } = await pay((response) =>
      response.writeHead(200, { 'payment-receipt': receipt }).end(),
    );
    assert.deepEqual([error.code, error.moneyMoved], ['payment_rejected', 'not_yet']);
  });
});
