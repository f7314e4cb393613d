import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  atomicAmount,
  decodeHeaderMessage,
  encodeHeaderMessage,
} from '../../src/protocol/index.ts';
import {
  chargeRequest,
  encodeJson,
  type MppChallenge,
  type MppCredential,
  readChallenges,
  writeCredential,
} from '../../src/protocol/mpp/index.ts';
import { paymentRequiredSchema } from '../../src/protocol/wire/index.ts';
import type { Offer, SellerRequest } from '../../src/seller/index.ts';
import { OTHER_ASSET, PAYER, paymentRequest, SELLER, STRANGER } from '../support/payment.ts';
import {
  bodyOf,
  challengeIn,
  credentialFor,
  HASH,
  type Headers,
  headerOf,
  headersOf,
  NOW,
  offer,
  paid,
  refused,
  request,
  shop,
  signed,
  transactionOf,
} from './mppShop.ts';

const DIGEST = createHash('sha256').update('{"q":1}').digest('base64');
const OTHER_DIGEST = createHash('sha256').update('{"q":2}').digest('base64');
const POST = { method: 'POST', target: '/quote', bodyDigest: DIGEST };

/** What an attacker has: a good credential for a POST, and the seller's terms for other requests. */
interface Loot {
  readonly good: MppCredential;
  /** Of another target with the same price. */
  readonly other: MppChallenge;
  /** Of another target with a lower price. */
  readonly cheaper: MppChallenge;
  /** Payments of x402 with the transaction of the good credential: for the POST, the other and the cheaper target. */
  readonly x402: { readonly good: string; readonly other: string; readonly cheaper: string };
}

type Attack = (loot: Loot) => {
  readonly authorization?: string;
  /** Headers besides `Authorization`. */
  readonly headers?: Headers;
  readonly request?: Partial<SellerRequest>;
  readonly terms?: Partial<Offer>;
  /** Milliseconds later. */
  readonly later?: number;
};

/** A credential with other members of the challenge. */
const challenged =
  (change: (loot: Loot) => Readonly<Record<string, unknown>>): Attack =>
  (loot) => {
    const { challenge, ...rest } = loot.good;
    const forged = { ...rest, challenge: { ...challenge, ...change(loot) } };
    return { authorization: `Payment ${encodeJson(forged)}` };
  };
/** The same, with the id that belongs to them under another secret. */
const resigned =
  (change: Partial<MppChallenge>): Attack =>
  ({ good }) => ({
    authorization: writeCredential({
      ...good,
      challenge: signed({ ...good.challenge, ...change }, 'another secret'),
    }),
  });
const paying =
  (change: Readonly<Record<string, unknown>>): Attack =>
  ({ good }) => ({
    authorization: writeCredential({ ...good, payload: { ...good.payload, ...change } }),
  });
const at =
  (more: Partial<SellerRequest>, terms?: Partial<Offer>): Attack =>
  ({ good }) => ({
    authorization: writeCredential(good),
    request: more,
    ...(terms ? { terms } : {}),
  });
const sourced =
  (source: unknown): Attack =>
  ({ good }) => ({ authorization: `Payment ${encodeJson({ ...good, source })}` });
const raw =
  (write: (good: MppCredential) => string): Attack =>
  ({ good }) => ({ authorization: write(good) });
const charge = (change: object): string => {
  const { amount, payTo, asset, network } = offer();
  return chargeRequest({ amount, payTo, asset, network, ...change });
};

/** Terms with other details of the method. */
const chargeOf = (details: object): string =>
  encodeJson({
    ...{ amount: '100000', currency: offer().asset, recipient: SELLER.address },
    methodDetails: { network: 'stellar:testnet', feePayer: true, ...details },
  });
const encoded = (text: string): string => `Payment ${Buffer.from(text).toString('base64url')}`;
const inUrl = (text = ''): string =>
  text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

const cheap = atomicAmount(1n) ?? assert.fail();

/** As if there were no payment. */
const NO_PAYMENT = 'Payment required';
const MALFORMED = 'malformed-credential';

/** Each with the reason in the answer. Default: `invalid-challenge`. */
const ATTACKS: readonly (readonly [name: string, attack: Attack, reason?: string])[] = [
  // Ids
  ['an empty id', challenged(() => ({ id: '' }))],
  ['the id of another challenge', challenged(({ other }) => ({ id: other.id }))],
  ['a shortened id', challenged(({ good }) => ({ id: good.challenge.id.slice(0, -1) }))],
  ['a lengthened id', challenged(({ good }) => ({ id: `${good.challenge.id}A` }))],
  ['a padded id', challenged(({ good }) => ({ id: `${good.challenge.id}=` }))],
  ['an id in lower case', challenged(({ good }) => ({ id: good.challenge.id.toLowerCase() }))],
  ['an id of another secret', resigned({})],
  ['an id that is null', challenged(() => ({ id: null })), MALFORMED],
  ['an id that is a number', challenged(() => ({ id: 7 })), MALFORMED],
  ['an id in a list', challenged(({ good }) => ({ id: [good.challenge.id] })), MALFORMED],
  ['no id', challenged(() => ({ id: undefined })), MALFORMED],
  ['an id of a character outside ASCII', challenged(() => ({ id: 'é'.repeat(21) }))],
  // Realms
  ['another realm', challenged(() => ({ realm: 'other.example' }))],
  ['an empty realm', challenged(() => ({ realm: '' }))],
  ['the realm in upper case', challenged(() => ({ realm: 'SELLER.EXAMPLE' }))],
  ['a realm with a port', challenged(() => ({ realm: 'seller.example:80' }))],
  ['a realm that swallows the method', challenged(() => ({ realm: 'seller.example|stellar' }))],
  ['no realm', challenged(() => ({ realm: undefined })), MALFORMED],
  ['a realm of another host', at({}, { resource: { url: 'http://other.example/quote' } })],
  // Methods and intents
  ['another method', challenged(() => ({ method: 'tempo' })), 'method-unsupported'],
  ['the method in upper case', challenged(() => ({ method: 'STELLAR' })), 'method-unsupported'],
  ['an empty method', challenged(() => ({ method: '' })), 'method-unsupported'],
  ['a channel', challenged(() => ({ intent: 'channel' })), 'method-unsupported'],
  ['a session', challenged(() => ({ intent: 'session' })), 'method-unsupported'],
  [
    'an intent that swallows the request',
    challenged(() => ({ intent: 'charge|' })),
    'method-unsupported',
  ],
  // Terms
  ['a lower amount', challenged(() => ({ request: charge({ amount: 1n }) }))],
  ['a lower amount under another secret', resigned({ request: charge({ amount: 1n }) })],
  ['another recipient', challenged(() => ({ request: charge({ payTo: STRANGER.address }) }))],
  ['another asset', challenged(() => ({ request: charge({ asset: OTHER_ASSET }) }))],
  ['another network', challenged(() => ({ request: charge({ network: 'stellar:pubnet' }) }))],
  ['terms with padding', challenged(({ good }) => ({ request: `${good.challenge.request}=` }))],
  ['terms as an object', challenged(() => ({ request: { amount: '1' } })), MALFORMED],
  ['no terms', challenged(() => ({ request: undefined })), MALFORMED],
  ['empty terms', challenged(() => ({ request: '' }))],
  ['the price of yesterday', at({}, { amount: cheap })],
  ['the recipient of yesterday', at({}, { payTo: STRANGER.address })],
  // Expiry
  ['a later expiry', challenged(() => ({ expires: '2027-01-01T00:00:00.000Z' }))],
  ['a later expiry under another secret', resigned({ expires: '2027-01-01T00:00:00.000Z' })],
  ['no expiry', challenged(() => ({ expires: undefined }))],
  ['an empty expiry', challenged(() => ({ expires: '' }))],
  ['an expiry that is not a time', challenged(() => ({ expires: 'never' }))],
  [
    'an expired challenge',
    ({ good }) => ({ authorization: writeCredential(good), later: 60_001 }),
    'payment-expired',
  ],
  [
    'a challenge of last year',
    ({ good }) => ({ authorization: writeCredential(good), later: 3e10 }),
    'payment-expired',
  ],
  // Bodies and digests
  ['another body', at({ bodyDigest: OTHER_DIGEST })],
  ['no body', at({ bodyDigest: '' })],
  ['no digest', challenged(() => ({ digest: undefined }))],
  ['an empty digest', challenged(() => ({ digest: '' }))],
  ['the digest of another body', challenged(() => ({ digest: `sha-256=${OTHER_DIGEST}` }))],
  ['another digest under another secret', resigned({ digest: `sha-256=${OTHER_DIGEST}` })],
  ['a digest of another algorithm', challenged(() => ({ digest: `sha-512=${DIGEST}` }))],
  [
    'another body with its digest',
    (loot) => ({
      ...challenged(() => ({ digest: `sha-256=${OTHER_DIGEST}` }))(loot),
      request: { bodyDigest: OTHER_DIGEST },
    }),
  ],
  // Paths and methods of HTTP
  ['another path', at({ target: '/gold' })],
  ['another query', at({ target: '/quote?all=1' })],
  ['a trailing slash', at({ target: '/quote/' })],
  ['another letter case', at({ target: '/Quote' })],
  ['another method of HTTP', at({ method: 'DELETE' })],
  ['the method in lower case', at({ method: 'post' })],
  ['a challenge of another path', challenged(({ other }) => ({ ...other }))],
  ['the opaque of another path', challenged(({ other }) => ({ opaque: other.opaque }))],
  ['an opaque of its own', resigned({ opaque: encodeJson({ resource: 'POST /gold' }) })],
  ['no opaque', challenged(() => ({ opaque: undefined }))],
  [
    'an opaque as an object',
    challenged(() => ({ opaque: { resource: 'POST /quote' } })),
    MALFORMED,
  ],
  ['an opaque in the digest', challenged(({ good }) => ({ digest: `|${good.challenge.opaque}` }))],
  // Payments
  ['a hash', paying({ type: 'hash', hash: HASH }), 'method-unsupported'],
  [
    'a signed hash',
    paying({ type: 'signedHash', hash: HASH, sourceSignature: 'ab' }),
    'method-unsupported',
  ],
  ['no type', paying({ type: undefined }), 'method-unsupported'],
  ['a type of a list', paying({ type: ['transaction'] }), 'method-unsupported'],
  ['no transaction', paying({ transaction: undefined }), 'invalid_exact_stellar_payload_malformed'],
  [
    'a transaction that is a number',
    paying({ transaction: 7 }),
    'invalid_exact_stellar_payload_malformed',
  ],
  ['an empty transaction', paying({ transaction: '' }), 'invalid_exact_stellar_payload_malformed'],
  [
    'bytes that are not a transaction',
    paying({ transaction: 'AAAA' }),
    'invalid_exact_stellar_payload_malformed',
  ],
  [
    'a transaction that its source authorizes',
    paying({ transaction: transactionOf({ entries: [{ kind: 'sourceAccount' }] }) }),
    'invalid_exact_stellar_payload_malformed',
  ],
  [
    'two authorizations',
    paying({ transaction: transactionOf({ entries: [{}, { nonce: 2n }] }) }),
    'invalid_exact_stellar_payload_malformed',
  ],
  [
    'no authorization',
    paying({ transaction: transactionOf({ entries: [] }) }),
    'invalid_exact_stellar_payload_malformed',
  ],
  // Sources
  [
    'the source of somebody else',
    sourced(`did:pkh:stellar:testnet:${STRANGER.address}`),
    'verification-failed',
  ],
  [
    'a source on another network',
    sourced(`did:pkh:stellar:pubnet:${PAYER.address}`),
    'verification-failed',
  ],
  ['a source that is an address', sourced(PAYER.address), 'verification-failed'],
  ['an empty source', sourced(''), 'verification-failed'],
  ['a source that is a number', sourced(7), MALFORMED],
  [
    'a source with more behind it',
    sourced(`did:pkh:stellar:testnet:${PAYER.address}x`),
    'verification-failed',
  ],
  // Headers
  ['nothing behind the scheme', raw(() => 'Payment'), MALFORMED],
  ['spaces behind the scheme', raw(() => 'Payment   '), MALFORMED],
  ['no base64url', raw(() => 'Payment !!!'), MALFORMED],
  ['an empty object', raw(() => 'Payment e30'), MALFORMED],
  ['a list', raw(() => `Payment ${encodeJson([])}`), MALFORMED],
  ['null', raw(() => `Payment ${encodeJson(null)}`), MALFORMED],
  ['JSON without base64url', raw((good) => `Payment ${JSON.stringify(good)}`), MALFORMED],
  [
    'two credentials',
    raw((good) => `${writeCredential(good)}, ${writeCredential(good)}`),
    MALFORMED,
  ],
  [
    'bytes that are not UTF-8',
    raw(() => `Payment ${Buffer.from([0xff, 0xfe]).toString('base64url')}`),
    MALFORMED,
  ],
  [
    'a message of 80,000 characters',
    raw((good) => `${writeCredential(good)}${'A'.repeat(80_000)}`),
    MALFORMED,
  ],
  [
    '10,000 nested lists',
    raw(() => `Payment ${Buffer.from('['.repeat(10_000)).toString('base64url')}`),
    MALFORMED,
  ],
  ['no payload', raw(({ challenge }) => `Payment ${encodeJson({ challenge })}`), MALFORMED],
  ['no challenge', raw(({ payload }) => `Payment ${encodeJson({ payload })}`), MALFORMED],
  [
    'a challenge that is a text',
    raw(({ challenge, payload }) => `Payment ${encodeJson({ challenge: challenge.id, payload })}`),
    MALFORMED,
  ],
  // Downgraded and mixed challenges: each member is the seller's own, of another challenge
  ['the challenge of a cheaper path', challenged(({ cheaper }) => ({ ...cheaper }))],
  [
    'the terms of a cheaper path',
    challenged(({ cheaper: { request: text } }) => ({ request: text })),
  ],
  [
    'the id and the terms of a cheaper path',
    challenged(({ cheaper: { id, request: text } }) => ({ id, request: text })),
  ],
  [
    'the challenge of a cheaper path with the opaque of this one',
    challenged(({ good, cheaper }) => ({ ...cheaper, opaque: good.challenge.opaque })),
  ],
  [
    'the challenge of a cheaper path with the id of this one',
    challenged(({ good, cheaper }) => ({ ...cheaper, id: good.challenge.id })),
  ],
  [
    'the challenge of another path with the digest of none',
    challenged(({ other }) => ({ ...other, digest: undefined })),
  ],
  ['terms without a fee payer', resigned({ request: chargeOf({ feePayer: false }) })],
  ['terms that take a hash', resigned({ request: chargeOf({ credentialTypes: ['hash'] }) })],
  ['terms of x402', challenged(({ x402 }) => ({ request: x402.good }))],
  ['a price of zero', challenged(() => ({ request: charge({ amount: 0n }) }))],
  ['a price below zero', resigned({ request: encodeJson({ amount: '-1' }) })],
  // Texts moved from one member of a challenge to the next
  [
    'an expiry that swallows the digest',
    challenged(({ good: { challenge } }) => ({
      ...{ expires: `${challenge.expires}|${challenge.digest}`, digest: undefined },
    })),
  ],
  [
    'terms that swallow the expiry',
    challenged(({ good: { challenge } }) => ({
      ...{ request: `${challenge.request}|${challenge.expires}`, expires: undefined },
    })),
  ],
  [
    'a digest that swallows the opaque',
    challenged(({ good: { challenge } }) => ({
      ...{ digest: `${challenge.digest}|${challenge.opaque}`, opaque: undefined },
    })),
  ],
  [
    'an opaque that is the header',
    challenged(({ good: { challenge } }) => ({ header: challenge.opaque, opaque: undefined })),
  ],
  ['another header', challenged(() => ({ header: 'X-Paid' }))],
  ['an empty header', challenged(() => ({ header: '' }))],
  // Expiries in other forms
  ['the expiry in another zone', challenged(() => ({ expires: '2026-11-27T13:01:00.000+01:00' }))],
  ['the expiry without milliseconds', challenged(() => ({ expires: '2026-11-27T12:01:00Z' }))],
  ['the expiry as a number', challenged(() => ({ expires: NOW + 60_000 })), MALFORMED],
  [
    'the expiry in a list',
    challenged(({ good }) => ({ expires: [good.challenge.expires] })),
    MALFORMED,
  ],
  ['an expiry of null', challenged(() => ({ expires: null })), MALFORMED],
  ['an expiry of the year 275760', resigned({ expires: '+275760-09-13T00:00:00.000Z' })],
  // Digests in other forms
  ['the digest in base64url', challenged(({ good }) => ({ digest: inUrl(good.challenge.digest) }))],
  ['the digest between colons', challenged(() => ({ digest: `sha-256=:${DIGEST}:` }))],
  ['two digests', challenged(() => ({ digest: `sha-256=${OTHER_DIGEST}, sha-256=${DIGEST}` }))],
  ['a digest of null', challenged(() => ({ digest: null })), MALFORMED],
  // Realms, paths and bodies
  ['a realm with a user', at({}, { resource: { url: 'http://seller.example@other.example/' } })],
  ['another port', at({}, { resource: { url: 'http://seller.example:8080/quote' } })],
  ['a subdomain', at({}, { resource: { url: 'http://a.seller.example/quote' } })],
  ['a realm with a dot at its end', at({}, { resource: { url: 'http://seller.example./quote' } })],
  ['the path with dots', at({ target: '/free/../quote' })],
  ['the path twice encoded', at({ target: '/%2571uote' })],
  ['the path with a fragment', at({ target: '/quote#gold' })],
  ['the path with an empty query', at({ target: '/quote?' })],
  ['the path with another host before it', at({ target: '//other.example/quote' })],
  ['a HEAD for the POST', at({ method: 'HEAD', bodyDigest: '' })],
  ['a method with a space', at({ method: 'POST /quote' })],
  ['a target with the method in it', at({ method: 'POST', target: ' /quote' })],
  ['a body digest with the prefix', at({ bodyDigest: `sha-256=${DIGEST}` })],
  // Messages that two readers could take for different ones
  [
    'a challenge twice, the forged one last',
    raw(({ challenge, payload }) => {
      const forged = JSON.stringify({ ...challenge, request: charge({ amount: 1n }) });
      return encoded(
        `{"challenge":${JSON.stringify(challenge)},"payload":${JSON.stringify(payload)},"challenge":${forged}}`,
      );
    }),
  ],
  [
    'a challenge in the prototype',
    raw(({ challenge, payload }) =>
      encoded(
        `{"__proto__":${JSON.stringify({ challenge })},"payload":${JSON.stringify(payload)}}`,
      ),
    ),
    MALFORMED,
  ],
  [
    'a payload in the prototype of a payload',
    raw(({ challenge, payload }) =>
      encoded(
        `{"challenge":${JSON.stringify(challenge)},"payload":{"__proto__":${JSON.stringify(payload)}}}`,
      ),
    ),
    'method-unsupported',
  ],
  ['more JSON behind the message', raw((good) => encoded(`${JSON.stringify(good)}{}`)), MALFORMED],
  [
    'the message in gzip',
    raw((good) => `Payment ${gzipSync(JSON.stringify(good)).toString('base64url')}`),
    MALFORMED,
  ],
  ['the message encoded twice', raw((good) => encoded(writeCredential(good))), MALFORMED],
  ['the message in a list', raw((good) => `Payment ${encodeJson([good])}`), MALFORMED],
  [
    'the message in quotes',
    raw((good) => writeCredential(good).replace(/ (.*)/, ' "$1"')),
    MALFORMED,
  ],
  [
    'the message as a parameter',
    raw((good) => writeCredential(good).replace(' ', ' credential=')),
    MALFORMED,
  ],
  [
    'a space that is not one',
    raw((good) => writeCredential(good).replace(' ', '\u00a0')),
    NO_PAYMENT,
  ],
  // Lines and schemes in headers
  [
    'a line of its own',
    raw((good) => `Payment \r\nX-Paid: yes\r\n${writeCredential(good)}`),
    MALFORMED,
  ],
  [
    'a line behind it',
    raw((good) => `${writeCredential(good)}\r\nPayment-Receipt: yes`),
    MALFORMED,
  ],
  ['a zero byte behind it', raw((good) => `${writeCredential(good)}\0`), MALFORMED],
  [
    'a payment behind a bearer token',
    raw((good) => `Bearer token, ${writeCredential(good)}`),
    NO_PAYMENT,
  ],
  ['a bearer token behind it', raw((good) => `${writeCredential(good)}, Bearer token`), MALFORMED],
  [
    'a scheme that begins alike',
    raw((good) => writeCredential(good).replace(' ', 'X ')),
    NO_PAYMENT,
  ],
  [
    'a receipt as a credential',
    raw(() => `Payment ${encodeJson({ status: 'success', reference: HASH })}`),
    MALFORMED,
  ],
  [
    'a receipt in the request',
    () => ({ headers: { 'payment-receipt': encodeJson({ status: 'success' }) } }),
    NO_PAYMENT,
  ],
  // What belongs to the other protocol
  [
    'a credential of MPP for x402',
    ({ good }) => ({ headers: { 'payment-signature': writeCredential(good) } }),
    'invalid_payload',
  ],
  [
    'its message for x402',
    ({ good }) => ({ headers: { 'payment-signature': encodeHeaderMessage(good) } }),
    'invalid_payload',
  ],
  [
    'it in the header of x402 version 1',
    ({ good }) => ({ headers: { 'x-payment': encodeHeaderMessage(good) } }),
    NO_PAYMENT,
  ],
  [
    'a payment of x402 as a credential',
    ({ x402 }) => ({ authorization: `Payment ${x402.good}` }),
    MALFORMED,
  ],
  [
    'a payment of x402 as the payload',
    ({ good, x402 }) => ({
      authorization: writeCredential({
        ...good,
        payload: decodeHeaderMessage(x402.good) as Readonly<Record<string, unknown>>,
      }),
    }),
    'method-unsupported',
  ],
  [
    'a payment of x402 for another path',
    ({ x402 }) => ({ headers: { 'payment-signature': x402.other } }),
    'no_matching_payment_requirements',
  ],
  [
    'a payment of x402 for a cheaper path',
    ({ x402 }) => ({ headers: { 'payment-signature': x402.cheaper } }),
    'no_matching_payment_requirements',
  ],
  [
    'both protocols, x402 for another path',
    ({ good, x402 }) => ({
      ...{ authorization: writeCredential(good), headers: { 'payment-signature': x402.other } },
    }),
    'no_matching_payment_requirements',
  ],
  [
    'both protocols, x402 for a cheaper path',
    ({ good, x402 }) => ({
      ...{ authorization: writeCredential(good), headers: { 'payment-signature': x402.cheaper } },
    }),
    'no_matching_payment_requirements',
  ],
  [
    'both protocols, both for a cheaper path',
    ({ good, cheaper, x402 }) => ({
      authorization: writeCredential({ ...good, challenge: cheaper }),
      headers: { 'payment-signature': x402.cheaper },
    }),
    'no_matching_payment_requirements',
  ],
  [
    'an empty payment of x402 beside a forged credential',
    ({ good, cheaper }) => ({
      authorization: writeCredential({ ...good, challenge: cheaper }),
      headers: { 'payment-signature': '' },
    }),
    'invalid_payload',
  ],
];

const TERMS = { resource: { url: 'http://seller.example/quote' } };
const CHEAPER = { ...POST, target: '/cheap' };

/** A payment of x402 for a request, with the transaction of a credential. */
async function x402For(
  seller: ReturnType<typeof shop>,
  { payload }: MppCredential,
  more: Partial<SellerRequest>,
  terms: Partial<Offer> = {},
): Promise<string> {
  const sold = await seller.ask(request({}, more), { ...TERMS, ...terms });
  const header = headerOf(sold, 'payment-required') ?? '';
  const [accepted] = paymentRequiredSchema.parse(decodeHeaderMessage(header)).accepts;
  const { transaction } = payload;
  return encodeHeaderMessage({
    ...{ ...paymentRequest().paymentPayload, payload: { transaction }, accepted },
  });
}

async function lootOf(seller: ReturnType<typeof shop>): Promise<Loot> {
  const asks = async (more: Partial<SellerRequest>, terms: Partial<Offer> = {}) =>
    challengeIn(await seller.ask(request({}, more), { ...TERMS, ...terms }));
  const good = credentialFor(await asks(POST));
  return {
    good,
    other: await asks({ ...POST, target: '/gold' }),
    cheaper: await asks(CHEAPER, { amount: cheap }),
    x402: {
      good: await x402For(seller, good, POST),
      other: await x402For(seller, good, { ...POST, target: '/gold' }),
      cheaper: await x402For(seller, good, CHEAPER, { amount: cheap }),
    },
  };
}

function sentBy({ authorization, headers, request: more }: ReturnType<Attack>): SellerRequest {
  const carried = authorization === undefined ? {} : { authorization };
  return request({ ...headers, ...carried }, { ...POST, ...more });
}

describe(`None of ${ATTACKS.length} payments is served, and none reaches the facilitator:`, () => {
  for (const [name, attack, reason = 'invalid-challenge'] of ATTACKS) {
    it(name, async () => {
      const seller = shop();
      const loot = await lootOf(seller);
      const made = attack(loot);
      seller.clock.now += made.later ?? 0;
      const sold = await seller.ask(sentBy(made), { ...TERMS, ...made.terms });
      assert.ok(sold.kind === 'answer');
      assert.equal(bodyOf(sold)['error'], reason);
      assert.equal(sold.answer.status, reason === 'method-unsupported' ? 400 : 402);
      assert.equal(sold.reason, reason === NO_PAYMENT ? 'unpaid' : 'refused');
      assert.deepEqual(seller.log, []);
      assert.equal(headerOf(sold, 'cache-control'), 'no-store');
      assert.equal(headerOf(sold, 'payment-receipt'), undefined);
      assert.equal(headerOf(sold, 'payment-response'), undefined);
      // The good credential is as good as before.
      seller.clock.now = NOW;
      assert.equal((await seller.ask(paid(loot.good, POST), TERMS)).kind, 'sold');
    });
  }
});

/** What is sent after the good credential was sold. */
const REPLAYS: readonly (readonly [name: string, attack: Attack, status: number])[] = [
  [
    'as x402, for the same request',
    ({ x402 }) => ({ headers: { 'payment-signature': x402.good } }),
    409,
  ],
  [
    'as x402, for another path',
    ({ x402 }) => ({ headers: { 'payment-signature': x402.other }, request: { target: '/gold' } }),
    409,
  ],
  [
    'as x402, for a cheaper path',
    ({ x402 }) => ({
      headers: { 'payment-signature': x402.cheaper },
      ...{ request: { target: '/cheap' }, terms: { amount: cheap } },
    }),
    409,
  ],
  [
    'as x402, beside the credential that was sold',
    ({ good, x402 }) => ({
      authorization: writeCredential(good),
      headers: { 'payment-signature': x402.good },
    }),
    409,
  ],
  [
    'under the challenge of another path',
    ({ good, other }) => ({
      authorization: writeCredential({ ...good, challenge: other }),
      request: { target: '/gold' },
    }),
    409,
  ],
  [
    'under the challenge of a cheaper path',
    ({ good, cheaper }) => ({
      authorization: writeCredential({ ...good, challenge: cheaper }),
      ...{ request: { target: '/cheap' }, terms: { amount: cheap } },
    }),
    409,
  ],
  ['at another path', at({ target: '/gold' }), 402],
  ['by another method', at({ method: 'PUT' }), 402],
  ['with another body', at({ bodyDigest: OTHER_DIGEST }), 402],
  ['without a body', at({ bodyDigest: '' }), 402],
  ['of another host', at({}, { resource: { url: 'http://other.example/quote' } }), 402],
  ['in an envelope with another fee', paying({ transaction: transactionOf({ fee: 12_345 }) }), 409],
  [
    'in an envelope without time bounds',
    paying({ transaction: transactionOf({ timeless: true }) }),
    409,
  ],
  [
    'as x402, in an envelope with another fee',
    ({ x402 }) => ({
      headers: {
        'payment-signature': encodeHeaderMessage({
          ...(decodeHeaderMessage(x402.good) as object),
          payload: { transaction: transactionOf({ fee: 12_345 }) },
        }),
      },
    }),
    409,
  ],
  [
    'with the hash of its settlement',
    paying({ type: 'hash', hash: HASH, transaction: undefined }),
    400,
  ],
];

describe(`A transaction that was sold is served to none of ${REPLAYS.length} replays, and not settled again:`, () => {
  for (const [name, attack, status] of REPLAYS) {
    it(name, async () => {
      const seller = shop();
      const loot = await lootOf(seller);
      assert.equal((await seller.ask(paid(loot.good, POST), TERMS)).kind, 'sold');
      const made = attack(loot);
      const sold = await seller.ask(sentBy(made), { ...TERMS, ...made.terms });
      assert.ok(sold.kind === 'answer');
      assert.equal(sold.answer.status, status);
      assert.deepEqual(seller.log, ['verify', 'serve', 'settle']);
      assert.equal(headerOf(sold, 'payment-receipt'), undefined);
    });
  }

  for (const [first, second] of [
    ['MPP', 'x402'],
    ['x402', 'MPP'],
  ] as const) {
    it(`by ${second}, while its settlement by ${first} is not decided`, async () => {
      const pending = refused('not_yet', 'settlement_pending');
      const seller = shop({ settle: [pending] });
      const { good, x402 } = await lootOf(seller);
      const by = {
        MPP: paid(good, POST),
        x402: request({ 'payment-signature': x402.good }, POST),
      };
      const undecided = await seller.ask(by[first], TERMS);
      assert.ok(undecided.kind === 'answer');
      assert.equal(undecided.answer.status, 503);
      const asked = seller.calls.length;
      const sold = await seller.ask(by[second], TERMS);
      assert.ok(sold.kind === 'answer');
      assert.equal(sold.answer.status, 409);
      assert.equal(seller.calls.length, asked);
    });
  }

  it('a good credential for a second request after the first', async () => {
    const seller = shop();
    const good = credentialFor(challengeIn(await seller.ask(request())));
    seller.clock.now++;
    const second = credentialFor(challengeIn(await seller.ask(request())));
    assert.notEqual(good.challenge.id, second.challenge.id);
    await seller.ask(paid(good));
    const sold = await seller.ask(paid(second));
    assert.ok(sold.kind === 'answer');
    assert.deepEqual([sold.answer.status, sold.reason], [409, 'other_request']);
    assert.deepEqual(seller.log, ['verify', 'serve', 'settle']);
  });

  it('a body of another length under a challenge without a digest, once the sale is made', async () => {
    const seller = shop();
    const long = { ...POST, bodyDigest: '' };
    const good = credentialFor(challengeIn(await seller.ask(request({}, long))));
    assert.equal((await seller.ask(paid(good, POST))).kind, 'sold');
    const sold = await seller.ask(paid(good, { ...POST, bodyDigest: OTHER_DIGEST }));
    assert.ok(sold.kind === 'answer');
    assert.equal(sold.answer.status, 409);
  });
});

describe('A seller writes no header that a text of others breaks', () => {
  const broken = '\r\nSet-Cookie: a=1\r\n\r\n"\\\u2028';
  for (const [name, more, terms] of [
    ['the target', { target: `/weather${broken}` }, {}],
    ['a target of 20,000 characters', { target: `/${'x'.repeat(20_000)}` }, {}],
    ['the method', { method: `GET${broken}` }, {}],
    ['the host', {}, { resource: { url: `http://a"b${broken}/` } }],
    ['a host with quotes', {}, { resource: { url: 'http://a"b/' } }],
    ['the description', {}, { resource: { url: 'http://seller.example/', description: broken } }],
  ] as const) {
    it(name, async () => {
      const sold = await shop().ask(request({}, more), terms);
      assert.ok(sold.kind === 'answer');
      for (const [, value] of sold.answer.headers) {
        assert.match(value, /^[\x20-\x7e]*$/);
        assert.ok(value.length < 60_000);
      }
      assert.equal(readChallenges(headerOf(sold, 'www-authenticate') ?? '').length, 1);
    });
  }

  it('a reason of the facilitator', async () => {
    const invalidReason = `reason${broken}`;
    const seller = shop({ verify: { status: 200, body: { isValid: false, invalidReason } } });
    const credential = credentialFor(challengeIn(await seller.ask(request())));
    const sold = await seller.ask(paid(credential));
    for (const [, value] of headersOf(sold)) assert.match(value, /^[\x20-\x7e]*$/);
    assert.equal(bodyOf(sold)['error'], invalidReason);
  });
});
