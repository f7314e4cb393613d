import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { serve as serveFetch } from '@hono/node-server';
import { createSeller, SellerOptionError } from '../../src/handlers/index.ts';
import { decodeHeaderMessage, encodeStrKey } from '../../src/protocol/index.ts';
import { verifyOffer, verifyReceipt } from '../../src/protocol/receipts/index.ts';
import { paymentRequiredSchema } from '../../src/protocol/wire/index.ts';
import { receiptKey } from '../../src/seller/index.ts';
import { ask, receiptIn, sign } from '../proxy/support/shop.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { offerReceiptPackage } from './publishedPackage.ts';
import { verifyEd25519 } from './signing.ts';

const SECRET = '5a'.repeat(32);
const ORIGIN = 'https://api.example.com';
const ports = { verifyEd25519 };
const seconds = (): number => Math.floor(Date.now() / 1000);

/** The texts of the extension in a message. */
function signedIn(message: unknown): Readonly<Record<string, unknown>> | undefined {
  const { extensions } = message as { extensions?: Record<string, { info: object }> };
  const info = extensions?.['offer-receipt']?.info;
  return info === undefined ? undefined : { ...info };
}

describe('A seller with a receipt key', () => {
  const key = receiptKey(Buffer.from(SECRET, 'hex'));
  let stack: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;
  const closers: (() => void)[] = [];
  before(async () => {
    stack = await startLocalStack();
    payer = await openPayer(stack, 1_000_000_000n);
    payTo = await openSeller(stack);
  });
  after(async () => {
    for (const close of closers) close();
    await stack.close();
  });

  async function open(receipts: string | undefined): Promise<string> {
    const seller = createSeller({
      ...{ payTo: payTo.address, facilitator: stack.facilitator.url, publicUrl: ORIGIN },
      receiptKey: receipts,
    });
    const fetch = seller.fetch({ price: '0.01' }, (request) =>
      request.url.includes('broken')
        ? new Response('no', { status: 500 })
        : Response.json({ tempC: 19 }),
    );
    const server = serveFetch({ fetch, port: 0, hostname: '127.0.0.1' });
    closers.push(() => server.close());
    await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    return `http://127.0.0.1:${address.port}`;
  }

  it('signs its terms in the 402, and a receipt of the sale that names its transaction', async () => {
    const url = await open(SECRET);
    const asked = seconds();
    const required = decodeHeaderMessage(
      String((await ask(url, '/a?b=1')).headers['payment-required']),
    );
    const { accepts } = paymentRequiredSchema.parse(required);
    const { offers } = signedIn(required) ?? {};
    assert.ok(Array.isArray(offers) && offers.length === 1);
    const resourceUrl = `${ORIGIN}/a?b=1`;
    const offer = verifyOffer(offers[0], { accepts, resourceUrl, at: asked + 60 }, ports);
    assert.ok(offer.ok, JSON.stringify(offer));
    assert.deepEqual(offer.signer.publicKey, key.publicKey);
    const [theirs] = offerReceiptPackage?.extractOffersFromPaymentRequired(required) ?? [];
    assert.ok(theirs?.format === 'jws');
    assert.equal((await offerReceiptPackage?.verifyOfferSignatureJWS(theirs))?.amount, '100000');

    const payment = await sign(stack, payer, payTo, url, '/a?b=1');
    const headers = { 'payment-signature': payment };
    const paid = receiptIn(await ask(url, '/a?b=1', { headers }));
    assert.equal(paid['success'], true);
    const expected = {
      ...{ resourceUrl, network: 'stellar:testnet', payer: payer.address },
      ...{ transaction: String(paid['transaction']), signerKey: key.publicKey },
      ...{ paidAt: asked, now: seconds() },
    };
    const receipt = verifyReceipt(signedIn(paid)?.['receipt'], expected, ports);
    assert.ok(receipt.ok, JSON.stringify(receipt));

    const repeated = receiptIn(await ask(url, '/a?b=1', { headers }));
    assert.equal(repeated['transaction'], paid['transaction']);
    assert.ok(verifyReceipt(signedIn(repeated)?.['receipt'], expected, ports).ok);
  });

  it('signs nothing for a request that failed, and no other origin than its own', async () => {
    const url = await open(SECRET);
    const headers = { 'payment-signature': await sign(stack, payer, payTo, url, '/broken') };
    const failed = await ask(url, '/broken', { headers });
    assert.equal(failed.status, 500);
    assert.equal(failed.headers['payment-response'], undefined);
    const named = await ask(url, '/a', { headers: { host: 'other.example' } });
    const required = decodeHeaderMessage(String(named.headers['payment-required']));
    const { offers } = signedIn(required) ?? {};
    assert.ok(Array.isArray(offers));
    assert.ok(verifyOffer(offers[0], { resourceUrl: `${ORIGIN}/a` }, ports).ok);
  });

  it('signs nothing without one', async () => {
    const url = await open(undefined);
    const required = decodeHeaderMessage(
      String((await ask(url, '/a')).headers['payment-required']),
    );
    assert.equal(signedIn(required), undefined);
    const headers = { 'payment-signature': await sign(stack, payer, payTo, url, '/a') };
    const paid = receiptIn(await ask(url, '/a', { headers }));
    assert.deepEqual([paid['success'], signedIn(paid)], [true, undefined]);
  });

  it('refuses a key that cannot be one, one of the account that is paid, and a resource that clients name', () => {
    const facilitator = stack.facilitator.url;
    const refuses = (options: { receiptKey: string; publicUrl?: string; payTo: string }): void => {
      assert.throws(
        () => createSeller({ facilitator, ...options }),
        (error) => error instanceof SellerOptionError && error.code === 'invalid_receipt_key',
      );
    };
    const paid = { payTo: payTo.address };
    refuses({ ...paid, receiptKey: SECRET });
    refuses({ ...paid, receiptKey: 'S'.repeat(56), publicUrl: ORIGIN });
    refuses({ ...paid, receiptKey: SECRET.slice(2), publicUrl: ORIGIN });
    const own = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
    assert.doesNotThrow(() =>
      createSeller({ facilitator, payTo: own, receiptKey: SECRET, publicUrl: ORIGIN }),
    );
    refuses({
      payTo: encodeStrKey('account', key.publicKey),
      receiptKey: SECRET,
      publicUrl: ORIGIN,
    });
  });
});
