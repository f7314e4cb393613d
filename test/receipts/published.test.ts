import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CompactSign, compactVerify, importJWK } from 'jose';
import {
  jwkOf,
  signOffer,
  signReceipt,
  verifyOffer,
  verifyReceipt,
} from '../../src/protocol/receipts/index.ts';
import { NOT_INSTALLED } from '../support/canonical.ts';
import { offerReceiptPackage, type PublishedSigner } from './publishedPackage.ts';
import { testKey, verifyEd25519 } from './signing.ts';

const key = testKey(7);
const other = testKey(8);
const ports = { verifyEd25519 };
const resourceUrl = 'https://api.example.com/weather/%C3%BC?unit=c&q=%22a%22';
const terms = {
  scheme: 'exact',
  network: 'stellar:testnet',
  asset: 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA',
  payTo: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
  amount: '100000',
};
const payer = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';
const transaction = 'ab'.repeat(32);
const now = Math.floor(Date.now() / 1000);
const offerTerms = { resourceUrl, ...terms, validUntil: now + 300 };
const statement = { resourceUrl, network: terms.network, payer, issuedAt: now, transaction };

/** A signer as the published package takes it. */
const published: PublishedSigner = {
  ...{ kid: key.kid, format: 'jws', algorithm: 'EdDSA' },
  sign: async (bytes) => Buffer.from(key.sign(bytes)).toString('base64url'),
};
const didJwk = `did:jwk:${Buffer.from(JSON.stringify(jwkOf(key.publicKey))).toString('base64url')}#0`;

describe('offers and receipts agree with the published package and with jose', {
  skip: offerReceiptPackage ? false : NOT_INSTALLED,
}, () => {
  const upstream = offerReceiptPackage as NonNullable<typeof offerReceiptPackage>;
  it('the published package verifies our offer, and finds its terms', async () => {
    const offer = signOffer(offerTerms, key, 1);
    assert.deepEqual(await upstream.verifyOfferSignatureJWS(offer), { version: 1, ...offerTerms });
    const accepts = [
      { ...terms, amount: '1', maxTimeoutSeconds: 60, extra: {} },
      { ...terms, maxTimeoutSeconds: 60, extra: {} },
    ] as const;
    const required = {
      ...{ x402Version: 2, resource: { url: resourceUrl } },
      accepts: accepts.map((each) => ({ ...each, network: 'stellar:testnet' as const })),
      extensions: { 'offer-receipt': { info: { offers: [offer] } } },
    };
    const [decoded] = upstream.decodeSignedOffers(
      upstream.extractOffersFromPaymentRequired(required),
    );
    assert.ok(decoded);
    assert.equal(
      upstream.findAcceptsObjectFromSignedOffer(decoded, required.accepts)?.amount,
      '100000',
    );
  });

  it('the published package verifies our receipt, and matches it with our offer', async () => {
    const receipt = signReceipt(statement, key);
    assert.deepEqual(await upstream.verifyReceiptSignatureJWS(receipt), {
      version: 1,
      ...statement,
    });
    const [decoded] = upstream.decodeSignedOffers([signOffer(offerTerms, key, 0)]);
    assert.ok(decoded);
    assert.equal(upstream.verifyReceiptMatchesOffer(receipt, decoded, [payer]), true);
  });

  it('the published package refuses our offer under another key', async () => {
    const offer = signOffer(offerTerms, { kid: other.kid, sign: key.sign }, 0);
    await assert.rejects(upstream.verifyOfferSignatureJWS(offer));
    assert.deepEqual(verifyOffer(offer, {}, ports), { ok: false, reason: 'signature_invalid' });
  });

  for (const kid of [key.kid, key.kid.split('#')[0] ?? '', didJwk]) {
    it(`we verify an offer and a receipt of the published package by ${kid.slice(0, 8)}${kid.includes('#') ? '' : ' without a fragment'}`, async () => {
      const signer = { ...published, kid };
      const offer = await upstream.createOfferJWS(
        resourceUrl,
        { acceptIndex: 0, ...terms },
        signer,
      );
      const verified = verifyOffer(offer, { accepts: [terms], resourceUrl, at: now }, ports);
      assert.ok(verified.ok, JSON.stringify(verified));
      assert.equal(verified.payload.amount, '100000');
      const receipt = await upstream.createReceiptJWS(
        { resourceUrl, payer, network: terms.network, transaction },
        signer,
      );
      const expected = { resourceUrl, payer, transaction, signerKey: key.publicKey };
      assert.ok(verifyReceipt(receipt, expected, ports).ok);
    });
  }

  it('we take a receipt of the published package without a transaction only where none is expected', async () => {
    const input = { resourceUrl, payer, network: terms.network };
    const receipt = await upstream.createReceiptJWS(input, published);
    assert.ok(verifyReceipt(receipt, { resourceUrl, payer }, ports).ok);
    const refused = verifyReceipt(receipt, { resourceUrl, payer, transaction }, ports);
    assert.deepEqual(refused, { ok: false, reason: 'transaction_missing' });
  });

  it('our bytes are those that the published package signs', async () => {
    const offer = await upstream.createOfferJWS(
      resourceUrl,
      { acceptIndex: 0, ...terms },
      published,
    );
    const payload = await upstream.verifyOfferSignatureJWS(offer);
    const { version: _, ...signed } = payload;
    assert.equal(signOffer(signed, key, 0).signature, offer.signature);
  });

  it('jose verifies our receipt, and we verify one that jose signed with either name of the algorithm', async () => {
    const publicKey = await importJWK(jwkOf(key.publicKey), 'EdDSA');
    const ours = signReceipt(statement, key);
    const { payload, protectedHeader } = await compactVerify(ours.signature, publicKey);
    assert.deepEqual(JSON.parse(new TextDecoder().decode(payload)), { version: 1, ...statement });
    assert.deepEqual(protectedHeader, { alg: 'EdDSA', kid: key.kid });
    for (const alg of ['EdDSA', 'Ed25519']) {
      const signature = await new CompactSign(
        new TextEncoder().encode(JSON.stringify({ version: 1, ...statement })),
      )
        .setProtectedHeader({ alg, kid: key.kid })
        .sign(key.privateKey);
      assert.ok(verifyReceipt({ format: 'jws', signature }, { transaction }, ports).ok, alg);
    }
  });
});
