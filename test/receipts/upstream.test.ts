import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { createRequire } from 'node:module';
import { before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { compactVerify } from 'jose';
import { openEd25519Key, verifyEd25519 } from '../../src/machine/index.ts';
import {
  didKeyOf,
  judgeOffer,
  judgeReceipt,
  offersIn,
  type SignedText,
  signOffer,
  signReceipt,
} from '../../src/protocol/receipts/index.ts';
import { NOW, OFFER, RECEIPT, SELLER_KEY } from './sale.ts';

/** What these tests use of `@x402/extensions`. */
interface Upstream {
  verifyOfferSignatureJWS(offer: SignedText): Promise<unknown>;
  verifyReceiptSignatureJWS(receipt: SignedText): Promise<unknown>;
  createOfferJWS(resourceUrl: string, input: object, signer: object): Promise<SignedText>;
  createReceiptJWS(input: object, signer: object): Promise<SignedText>;
  createOfferReceiptExtension(issuer: object): {
    enrichPaymentRequiredResponse(declaration: object, context: object): Promise<unknown>;
  };
  createJWSOfferReceiptIssuer(kid: string, signer: object): object;
}

const here = createRequire(new URL('../../examples/paid-api/package.json', import.meta.url));
const ring = { verify: verifyEd25519 };
const key = openEd25519Key(new Uint8Array(32).fill(9));
const did = didKeyOf(key.publicKey);
const upstreamSigner = {
  kid: `${did}#${did.slice('did:key:'.length)}`,
  format: 'jws',
  algorithm: 'EdDSA',
  sign: (message: Uint8Array) => Promise.resolve(key.sign(message).toString('base64url')),
};

describe('The published package @x402/extensions', () => {
  let upstream: Upstream;

  before(async () => {
    const file = here.resolve('@x402/extensions/offer-receipt');
    upstream = (await import(pathToFileURL(file).href)) as Upstream;
  });

  it('verifies our offers and receipts', async () => {
    const offer = await signOffer(OFFER, SELLER_KEY, 0);
    assert.deepEqual(await upstream.verifyOfferSignatureJWS(offer), { version: 1, ...OFFER });
    const receipt = await signReceipt(RECEIPT, SELLER_KEY);
    assert.deepEqual(await upstream.verifyReceiptSignatureJWS(receipt), { version: 1, ...RECEIPT });
  });

  it('refuses an offer of ours in which a letter was changed', async () => {
    const offer = await signOffer(OFFER, SELLER_KEY, 0);
    const [head, , tail] = offer.signature.split('.');
    const payload = Buffer.from(JSON.stringify({ version: 1, ...OFFER, amount: '1' }));
    const signature = [head, payload.toString('base64url'), tail].join('.');
    await assert.rejects(upstream.verifyOfferSignatureJWS({ ...offer, signature }));
  });

  it('makes offers that we verify, alone and in the 402 of its seller', async () => {
    const { resourceUrl, validUntil, ...terms } = OFFER;
    const input = { ...terms, acceptIndex: 0, offerValiditySeconds: 300 };
    const offer = await upstream.createOfferJWS(resourceUrl, input, upstreamSigner);
    const expected = { resourceUrl, ...terms, now: Math.floor(Date.now() / 1000) };
    const judged = await judgeOffer(offer, expected, ring);
    assert.equal(judged.refused, undefined);
    assert.ok(validUntil > NOW);

    const issuer = upstream.createJWSOfferReceiptIssuer(upstreamSigner.kid, upstreamSigner);
    const extension = upstream.createOfferReceiptExtension(issuer);
    const inside = await extension.enrichPaymentRequiredResponse(
      {},
      {
        requirements: [{ ...terms, maxTimeoutSeconds: 60 }],
        paymentRequiredResponse: { resource: { url: resourceUrl } },
      },
    );
    const [first, ...more] = offersIn({ 'offer-receipt': inside });
    assert.ok(first && more.length === 0);
    assert.equal((await judgeOffer(first, expected, ring)).refused, undefined);
  });

  it('makes receipts that we verify, with and without a transaction', async () => {
    const { transaction, payer, network, resourceUrl } = RECEIPT;
    const now = Math.floor(Date.now() / 1000);
    const expected = { network, resourceUrl, payer, transaction, paidAfter: now, now };
    for (const input of [
      { resourceUrl, payer, network },
      { resourceUrl, payer, network, transaction },
    ]) {
      const receipt = await upstream.createReceiptJWS(input, upstreamSigner);
      const judged = await judgeReceipt(receipt, expected, ring);
      assert.equal(judged.refused, undefined);
    }
  });
});

describe('The library jose', () => {
  it('verifies our offers and receipts by the public key alone', async () => {
    const publicKey = openEd25519Key(new Uint8Array(32).fill(7)).publicKey;
    const x = Buffer.from(publicKey).toString('base64url');
    const jwk = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    for (const { signature } of [
      await signOffer(OFFER, SELLER_KEY, 0),
      await signReceipt(RECEIPT, SELLER_KEY),
    ]) {
      const { protectedHeader, payload } = await compactVerify(signature, jwk);
      assert.equal(protectedHeader.kid, SELLER_KEY.kid);
      assert.equal(
        (JSON.parse(Buffer.from(payload).toString()) as { version: unknown }).version,
        1,
      );
    }
  });
});
