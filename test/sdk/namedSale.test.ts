import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { decodeHeaderMessage, encodeHeaderMessage } from '../../src/protocol/index.ts';
import {
  accountSigner,
  CannotPayError,
  connectRpc,
  fetchTransport,
  type HttpResponse,
  PaymentRejectedError,
  payForResource,
  webPlatform,
} from '../../src/sdk/exact/index.ts';
import { declarePaymentIdentifier, readPaymentIdentifier } from '../../src/sdk/seller/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';
import { post } from '../support/post.ts';

const AMOUNT = 100_000n;

describe('A sale with the buyer’s identifier', () => {
  let stack: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;
  before(async () => {
    stack = await startLocalStack();
    payer = await openPayer(stack);
    payTo = await openSeller(stack);
  });
  after(() => stack.close());

  const answer = (status: number, name: string, message: unknown): HttpResponse => ({
    status,
    headers: {
      get: (asked) => (asked.toLowerCase() === name ? encodeHeaderMessage(message) : null),
    },
    text: async () => '',
  });

  /** A seller: terms, and for a payment what the facilitator makes of it. */
  function seller(extra: Record<string, unknown> = {}) {
    const requirements = {
      scheme: 'exact',
      network: 'stellar:testnet',
      asset: USDC,
      amount: `${AMOUNT}`,
      payTo: payTo.address,
      maxTimeoutSeconds: 300,
      extra: { areFeesSponsored: true, ...extra },
    };
    const names: (string | undefined)[] = [];
    const send = async (headers: Readonly<Record<string, string>>): Promise<HttpResponse> => {
      const [header] = Object.values(headers);
      if (header === undefined) {
        return answer(402, 'payment-required', {
          x402Version: 2,
          accepts: [requirements],
          extensions: declarePaymentIdentifier(),
        });
      }
      names.push(readPaymentIdentifier(header));
      const { body } = await post(stack.facilitator.url, '/settle', {
        x402Version: 2,
        paymentPayload: decodeHeaderMessage(header),
        paymentRequirements: requirements,
      });
      return answer(body.success ? 200 : 402, 'payment-response', body);
    };
    return { send, names };
  }
  const plan = (paymentId?: string) => ({
    signer: accountSigner(payer.address, payer.sign),
    rpc: connectRpc(stack.rpcUrl, fetchTransport(fetch)),
    platform: webPlatform(webcrypto as Parameters<typeof webPlatform>[0]),
    now: Date.now,
    paymentId,
  });
  const received = async () => (await balancesOf(stack, payTo.address)).usdc;

  it('a seller that accepts identifiers gets one with each payment', async () => {
    const { send, names } = seller();
    await payForResource(send, plan());
    await payForResource(send, plan());
    assert.equal(names.length, 2);
    for (const name of names) assert.match(name ?? '', /^pay_[0-9a-f]{32}$/);
    assert.notEqual(names[0], names[1]);
  });

  it('a second payment under the first one’s identifier is refused: money moves once', async () => {
    const before = await received();
    const { send } = seller();
    const paid = await payForResource(send, plan('order-2026-000000017'));
    assert.equal(paid.response.status, 200);
    await assert.rejects(payForResource(send, plan('order-2026-000000017')), (error) => {
      assert.ok(error instanceof PaymentRejectedError);
      assert.equal(error.reason, 'payment_identifier_conflict');
      return true;
    });
    assert.equal((await received()) - before, AMOUNT);
  });

  it('M9: nothing is signed for a facilitator whose fee ceiling is too low', async () => {
    const { send, names } = seller({ maxTransactionFeeStroops: '1000' });
    await assert.rejects(payForResource(send, plan()), (error) => {
      assert.ok(error instanceof CannotPayError);
      assert.equal(error.reason, 'fee_above_ceiling');
      return true;
    });
    assert.deepEqual(names, []);
    await payForResource(seller({ maxTransactionFeeStroops: '500000' }).send, plan());
  });
});
