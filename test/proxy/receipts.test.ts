import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeHeaderMessage } from '../../src/protocol/index.ts';
import { verifyOffer, verifyReceipt } from '../../src/protocol/receipts/index.ts';
import { readConfig } from '../../src/proxy/index.ts';
import { receiptKey } from '../../src/seller/index.ts';
import { verifyEd25519 } from '../receipts/signing.ts';
import { openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { ask, openShop, receiptIn, type Shop, serve, sign, termsIn } from './support/shop.ts';

const SECRET = '6b'.repeat(32);
const ORIGIN = 'https://api.example.com';

/** The texts of the extension in a message. */
function signedIn(message: unknown): Readonly<Record<string, unknown>> {
  const { extensions } = message as { extensions?: Record<string, { info: object }> };
  return { ...extensions?.['offer-receipt']?.info };
}

describe('A proxy with receipts', () => {
  const key = receiptKey(Buffer.from(SECRET, 'hex'));
  let stack: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;
  let api: Awaited<ReturnType<typeof serve>>;
  let shop: Shop;
  const config = (more: string): string =>
    `upstream: ${api.url}\npayTo: ${payTo.address}\n${more}routes:\n  GET /a: 0.01\n  GET /broken: 0.01\n`;

  before(async () => {
    stack = await startLocalStack();
    payer = await openPayer(stack, 1_000_000_000n);
    payTo = await openSeller(stack);
    api = await serve((request, response) => {
      response.statusCode = request.url === '/broken' ? 500 : 200;
      response.end('{"tempC":19}');
    });
    shop = await openShop(config(`publicUrl: ${ORIGIN}\nreceipts: true\n`), {
      ...{ facilitatorUrl: stack.facilitator.url, receiptKey: key },
    });
  });
  after(async () => {
    await shop.close();
    await api.close();
    await stack.close();
  });

  it('signs its terms, and a receipt of what was paid; neither for what failed', async () => {
    const { url } = shop.proxy;
    const asked = Math.floor(Date.now() / 1000);
    const challenge = await ask(url, '/a?b=1');
    const { accepts } = termsIn(challenge);
    const required = decodeHeaderMessage(String(challenge.headers['payment-required']));
    const { offers } = signedIn(required);
    assert.ok(Array.isArray(offers));
    const resourceUrl = `${ORIGIN}/a?b=1`;
    const ports = { verifyEd25519 };
    const offer = verifyOffer(offers[0], { accepts, resourceUrl, at: asked }, ports);
    assert.ok(offer.ok, JSON.stringify(offer));
    assert.deepEqual(offer.signer.publicKey, key.publicKey);

    const paid = await ask(url, '/a?b=1', {
      headers: { 'payment-signature': await sign(stack, payer, payTo, url, '/a?b=1') },
    });
    assert.equal(paid.body.toString(), '{"tempC":19}');
    const { transaction } = receiptIn(paid);
    const receipt = verifyReceipt(
      signedIn(receiptIn(paid))['receipt'],
      {
        ...{ resourceUrl, network: 'stellar:testnet', payer: payer.address },
        ...{ transaction: String(transaction), signerKey: key.publicKey, paidAt: asked },
      },
      ports,
    );
    assert.ok(receipt.ok, JSON.stringify(receipt));

    const failed = await ask(url, '/broken', {
      headers: { 'payment-signature': await sign(stack, payer, payTo, url, '/broken') },
    });
    assert.deepEqual([failed.status, failed.headers['payment-response']], [500, undefined]);
  });

  it('names its key at its origin, where a did:web document with the same key answers for it', async () => {
    const answer = await ask(shop.proxy.url, '/.well-known/did.json');
    assert.equal(answer.status, 200);
    const document: unknown = JSON.parse(answer.body.toString());
    const { id, assertionMethod } = document as { id: string; assertionMethod: string[] };
    assert.deepEqual(
      [id, assertionMethod],
      ['did:web:api.example.com', ['did:web:api.example.com#key-1']],
    );
    const { verificationMethod } = document as { verificationMethod: { publicKeyJwk: object }[] };
    assert.deepEqual(verificationMethod[0]?.publicKeyJwk, {
      ...{ kty: 'OKP', crv: 'Ed25519' },
      x: Buffer.from(key.publicKey).toString('base64url'),
    });
  });

  it('never writes its key to the log', () => {
    const log = JSON.stringify(shop.log, (_, value: unknown) =>
      value instanceof Error ? `${value.stack}` : value,
    );
    assert.ok(shop.log.length > 0);
    assert.ok(
      !log.includes(SECRET) && !log.includes(Buffer.from(SECRET, 'hex').toString('base64')),
    );
  });

  it('is turned on and off while it runs, and has no document over plain HTTP', async () => {
    const own = await openShop(config(''), { facilitatorUrl: stack.facilitator.url });
    const extension = async (): Promise<unknown> => {
      const { headers } = await ask(own.proxy.url, '/a');
      return signedIn(decodeHeaderMessage(String(headers['payment-required'])))['offers'];
    };
    try {
      assert.equal(await extension(), undefined);
      const read = readConfig(config(`publicUrl: ${own.proxy.url}\nreceipts: true\n`));
      assert.ok(read.ok);
      assert.throws(() => own.proxy.reload(read.config));
      assert.equal(await extension(), undefined);
      own.proxy.reload(read.config, key);
      assert.ok(Array.isArray(await extension()));
      assert.equal((await ask(own.proxy.url, '/.well-known/did.json')).status, 404);
      own.proxy.reload({ ...read.config, receipts: false });
      assert.equal(await extension(), undefined);
    } finally {
      await own.close();
    }
  });

  it('is refused where its words would say nothing: without an origin, without x402, and for tools', () => {
    const line = (text: string): string => {
      const read = readConfig(text);
      return read.ok ? 'ok' : read.problems.map(({ message }) => message).join(' ');
    };
    assert.match(line(config('receipts: true\n')), /Set publicUrl/);
    const web = `publicUrl: ${ORIGIN}\nreceipts: true\n`;
    assert.match(line(config(`${web}protocols: [mpp]\n`)), /part of x402/);
    assert.match(
      line(`payTo: ${payTo.address}\n${web}mcp: { command: x, otherwise: 1 }\n`),
      /not for tools/,
    );
    assert.equal(line(config(web)), 'ok');
  });
});
