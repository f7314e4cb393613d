import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  OTHER_ASSET,
  PAYER,
  type PaymentParts,
  paymentRequest,
  SELLER,
  STRANGER,
} from '../../../test/support/payment.ts';
import {
  atomicAmount,
  decodeHeaderMessage,
  encodeHeaderMessage,
  USDC_CONTRACT,
} from '../../protocol/index.ts';
import {
  challengeText,
  chargeRequest,
  encodeJson,
  type MppChallenge,
  type MppCredential,
  readChallenges,
  readReceipt,
  writeCredential,
} from '../../protocol/mpp/index.ts';
import { paymentRequiredSchema } from '../../protocol/wire/index.ts';
import {
  type FacilitatorAnswer,
  type FacilitatorCall,
  memoryBook,
  mppProtocol,
  type Offer,
  type SaleBook,
  type SellerProtocol,
  type SellerRequest,
  type Sold,
  sell,
  x402Protocol,
} from '../index.ts';

interface Page {
  readonly good: boolean;
  readonly whole: boolean;
  readonly text: string;
  readonly status?: number;
}

const HASH = 'ab'.repeat(32);
const SECRET = 'a secret of the test';
const NOW = Date.parse('2026-11-27T12:00:00Z');
const VALID = { status: 200, body: { isValid: true, payer: PAYER.address } };
const SETTLED = {
  status: 200,
  body: { success: true, transaction: HASH, network: 'stellar:testnet', payer: PAYER.address },
};
const refused = (moneyMoved: string, errorReason = 'settle_exact_stellar_transaction_failed') => ({
  status: 200,
  body: {
    ...{ success: false, transaction: '', network: 'stellar:testnet', errorReason },
    extra: { moneyMoved, transaction: HASH },
  },
});

function offer(more: Partial<Offer> = {}): Offer {
  const amount = atomicAmount(100_000n);
  assert.ok(amount !== undefined);
  return {
    ...{ network: 'stellar:testnet', asset: USDC_CONTRACT, amount, payTo: SELLER.address },
    ...{ maxTimeoutSeconds: 60, extra: { areFeesSponsored: true } },
    resource: { url: 'http://seller.example/weather', description: 'Weather' },
    ...{ extensions: {}, settle: 'after', ...more },
  };
}

type Headers = Readonly<Record<string, string>>;

function request(headers: Headers = {}, more: Partial<SellerRequest> = {}): SellerRequest {
  return {
    ...{ method: 'GET', target: '/weather?city=Lima', bodyDigest: '' },
    header: (name) => headers[name.toLowerCase()],
    ...more,
  };
}

/** A seller whose facilitator agrees to everything unless the script says otherwise. */
function shop(
  script: {
    readonly protocols?: readonly SellerProtocol[];
    readonly verify?: FacilitatorAnswer;
    readonly settle?: readonly FacilitatorAnswer[];
    readonly page?: Page;
    readonly book?: SaleBook<Page>;
    readonly offer?: Partial<Offer>;
  } = {},
) {
  const clock = { now: NOW };
  const mpp = mppProtocol({ secret: SECRET, now: () => clock.now });
  const { protocols = [x402Protocol, mpp], book = memoryBook<Page>({ now: () => clock.now }) } =
    script;
  const log: string[] = [];
  const calls: FacilitatorCall[] = [];
  const settle = [...(script.settle ?? [SETTLED])];
  const ask = (asked: SellerRequest, terms: Partial<Offer> = {}): Promise<Sold<Page>> =>
    sell(offer({ ...script.offer, ...terms }), asked, {
      ...{ protocols, book },
      async ask(call) {
        calls.push(call);
        log.push(call.path.slice(1));
        if (call.path === '/verify') return 'verify' in script ? script.verify : VALID;
        return settle.length > 1 ? settle.shift() : settle[0];
      },
      async serve() {
        log.push('serve');
        return script.page ?? { good: true, whole: true, text: 'sunny' };
      },
      pause: () => new Promise((resolve) => setImmediate(resolve)),
      onError: (error) => assert.fail(String(error)),
    });
  return { ask, log, calls, clock, book, mpp };
}

const headersOf = (sold: Sold<Page>) =>
  sold.kind === 'answer' ? sold.answer.headers : sold.headers;
const headerOf = (sold: Sold<Page>, name: string): string | undefined =>
  headersOf(sold).find(([each]) => each.toLowerCase() === name)?.[1];

function challengeIn(sold: Sold<Page>): MppChallenge {
  const [challenge] = readChallenges(headerOf(sold, 'www-authenticate') ?? '');
  assert.ok(challenge);
  return challenge;
}

function bodyOf(sold: Sold<Page>): Record<string, unknown> {
  assert.ok(sold.kind === 'answer');
  return JSON.parse(sold.answer.body) as Record<string, unknown>;
}

function transactionOf(parts: PaymentParts = {}): string {
  return String(paymentRequest(parts).paymentPayload.payload['transaction']);
}

function credentialFor(challenge: MppChallenge, parts: PaymentParts = {}): MppCredential {
  const source = `did:pkh:stellar:testnet:${PAYER.address}`;
  return {
    ...{ challenge, source },
    payload: { type: 'transaction', transaction: transactionOf(parts) },
  };
}

const paid = (credential: MppCredential, more: Partial<SellerRequest> = {}): SellerRequest =>
  request({ authorization: writeCredential(credential) }, more);

const afterVerifying = (log: readonly string[]) => log.filter((step) => step !== 'verify');

/** A challenge as a seller with this secret would make it. */
function signed(challenge: MppChallenge, secret = SECRET): MppChallenge {
  const id = createHmac('sha256', secret).update(challengeText(challenge)).digest('base64url');
  return { ...challenge, id };
}

describe('A seller that speaks x402 and MPP asks for the price', () => {
  it('by both, with one body of problem+json that has the terms of both', async () => {
    const sold = await shop().ask(request());
    assert.ok(sold.kind === 'answer');
    assert.equal(sold.answer.status, 402);
    assert.equal(headerOf(sold, 'content-type'), 'application/problem+json');
    assert.equal(headerOf(sold, 'cache-control'), 'no-store');
    assert.equal(headerOf(sold, 'vary'), 'payment-signature, authorization, accept-payment');
    const terms = paymentRequiredSchema.parse(
      decodeHeaderMessage(headerOf(sold, 'payment-required') ?? ''),
    );
    const challenge = challengeIn(sold);
    const body = bodyOf(sold);
    assert.deepEqual(body['accepts'], JSON.parse(JSON.stringify(terms.accepts)));
    assert.equal(body['type'], 'https://paymentauth.org/problems/payment-required');
    assert.deepEqual([body['status'], body['challengeId']], [402, challenge.id]);
  });

  it('with a challenge that names price, fee payer, expiry, method and target', async () => {
    const challenge = challengeIn(await shop().ask(request()));
    assert.deepEqual(challenge, {
      id: challenge.id,
      ...{ realm: 'seller.example', method: 'stellar', intent: 'charge' },
      request: encodeJson({
        ...{ amount: '100000', currency: USDC_CONTRACT, recipient: SELLER.address },
        methodDetails: {
          ...{ network: 'stellar:testnet', feePayer: true },
          credentialTypes: ['transaction'],
        },
      }),
      expires: '2026-11-27T12:01:00.000Z',
      opaque: encodeJson({ resource: 'GET /weather?city=Lima' }),
    });
    assert.equal(challenge.id, signed(challenge).id);
  });

  it('with the digest of the body, if there is one', async () => {
    const bodyDigest = createHash('sha256').update('{"q":1}').digest('base64');
    const sold = await shop().ask(request({}, { method: 'POST', bodyDigest }));
    assert.equal(challengeIn(sold).digest, `sha-256=${bodyDigest}`);
  });

  for (const [accepts, x402, mpp] of [
    [undefined, true, true],
    ['stellar/charge', false, true],
    ['tempo/charge, stellar/*;q=0.5', false, true],
    ['*/*', false, true],
    ['stellar/charge;q=0', true, false],
    ['*/*, stellar/charge;q=0', true, false],
    ['tempo/charge', true, false],
    ['nonsense', true, false],
  ] as const) {
    it(`${x402 ? 'with' : 'without'} PAYMENT-REQUIRED if Accept-Payment is ${accepts}`, async () => {
      const sold = await shop().ask(request(accepts ? { 'accept-payment': accepts } : {}));
      const has = (name: string) => headerOf(sold, name) !== undefined;
      assert.deepEqual([has('payment-required'), has('www-authenticate')], [x402, mpp]);
    });
  }

  it('by MPP whatever the client accepts, if it speaks nothing else', async () => {
    const { mpp } = shop();
    const sold = await shop({ protocols: [mpp] }).ask(
      request({ 'accept-payment': 'tempo/charge' }),
    );
    assert.ok(challengeIn(sold));
    assert.equal(bodyOf(sold)['accepts'], undefined);
  });

  it('by x402 alone as before, if MPP is off', async () => {
    const sold = await shop({ protocols: [x402Protocol] }).ask(request());
    assert.equal(headerOf(sold, 'content-type'), 'application/json');
    assert.equal(headerOf(sold, 'www-authenticate'), undefined);
    assert.equal(headerOf(sold, 'vary'), 'payment-signature');
    assert.equal(bodyOf(sold)['type'], undefined);
  });
});

describe('A sale by MPP', () => {
  async function buy(script: Parameters<typeof shop>[0] = {}, more: Partial<SellerRequest> = {}) {
    const seller = shop(script);
    const credential = credentialFor(challengeIn(await seller.ask(request({}, more))));
    return { seller, credential, sold: await seller.ask(paid(credential, more)) };
  }

  it('verifies, serves, settles, and delivers with a receipt', async () => {
    const { seller, sold } = await buy();
    assert.ok(sold.kind === 'sold');
    assert.deepEqual(seller.log, ['verify', 'serve', 'settle']);
    assert.deepEqual(readReceipt(headerOf(sold, 'payment-receipt') ?? ''), {
      ...{ method: 'stellar', reference: HASH, status: 'success' },
      timestamp: '2026-11-27T12:00:00.000Z',
    });
    assert.equal(headerOf(sold, 'payment-response'), undefined);
    assert.deepEqual([sold.paid.payer, sold.paid.protocol.name], [PAYER.address, 'mpp']);
  });

  it('gives the facilitator the terms of x402 and the bytes of the buyer, unchanged', async () => {
    const { seller, credential } = await buy();
    const [verify, settle] = seller.calls;
    assert.deepEqual(verify?.body, settle?.body);
    const payload = verify?.body['paymentPayload'] as Record<string, unknown>;
    const { transaction } = credential.payload;
    assert.deepEqual(payload['payload'], { transaction });
    assert.deepEqual(payload['accepted'], verify?.body['paymentRequirements']);
    assert.deepEqual(verify?.body['paymentRequirements'], {
      ...{ scheme: 'exact', network: 'stellar:testnet', asset: USDC_CONTRACT, amount: '100000' },
      ...{ payTo: SELLER.address, maxTimeoutSeconds: 60 },
      extra: {
        areFeesSponsored: true,
        'payment-identifier': { method: 'GET', resource: '/weather?city=Lima' },
      },
    });
  });

  it('needs no source', async () => {
    const seller = shop();
    const { source, ...credential } = credentialFor(challengeIn(await seller.ask(request())));
    assert.ok(source);
    assert.equal((await seller.ask(paid(credential))).kind, 'sold');
  });

  it('is made in the last millisecond of the challenge', async () => {
    const seller = shop();
    const credential = credentialFor(challengeIn(await seller.ask(request())));
    seller.clock.now += 60_000;
    assert.equal((await seller.ask(paid(credential))).kind, 'sold');
  });

  it('gets its lost response again with the same receipt, after the expiry and at another price too', async () => {
    const { seller, credential, sold } = await buy();
    seller.clock.now += 3_600_000;
    const amount = atomicAmount(7n);
    assert.ok(amount !== undefined);
    for (const terms of [{}, { amount }]) {
      const again = await seller.ask(paid(credential), terms);
      assert.ok(again.kind === 'sold');
      assert.equal(again.repeated, true);
      assert.deepEqual(again.headers, sold.kind === 'sold' ? sold.headers : undefined);
    }
    assert.deepEqual(seller.log, ['verify', 'serve', 'settle']);
  });

  it('is made once by twelve requests at the same time', async () => {
    const seller = shop();
    const credential = credentialFor(challengeIn(await seller.ask(request())));
    const all = await Promise.all(Array.from({ length: 12 }, () => seller.ask(paid(credential))));
    assert.ok(all.every((sold) => sold.kind === 'sold'));
    assert.deepEqual(afterVerifying(seller.log), ['serve', 'settle']);
  });

  it('has no receipt with a response that is not 2xx, though it is paid', async () => {
    const { sold } = await buy({ page: { good: true, whole: true, text: '', status: 303 } });
    assert.ok(sold.kind === 'sold');
    assert.deepEqual(sold.headers, []);
  });

  for (const [name, answer] of [
    ['does not answer', undefined],
    ['reports it as pending', refused('not_yet', 'settlement_pending')],
    ['does not know', refused('unknown')],
  ] as const) {
    it(`is 503 with Retry-After and without a challenge while the facilitator ${name}`, async () => {
      const { seller, credential, sold } = await buy({
        settle: [answer, answer, answer, answer, SETTLED],
      });
      assert.ok(sold.kind === 'answer');
      assert.deepEqual([sold.answer.status, sold.reason], [503, 'undecided']);
      assert.ok(headerOf(sold, 'retry-after'));
      assert.equal(headerOf(sold, 'www-authenticate'), undefined);
      assert.equal(headerOf(sold, 'payment-receipt'), undefined);
      assert.equal((await seller.ask(paid(credential))).kind, 'sold');
    });
  }

  for (const [name, script, problem, error] of [
    [
      'is refused by the facilitator',
      { verify: { status: 200, body: { isValid: false, invalidReason: 'insufficient_funds' } } },
      ...['verification-failed', 'insufficient_funds'],
    ],
    [
      'is for another amount',
      {
        verify: {
          status: 200,
          body: {
            isValid: false,
            invalidReason: 'invalid_exact_stellar_payload_wrong_amount',
          },
        },
      },
      ...['payment-insufficient', 'invalid_exact_stellar_payload_wrong_amount'],
    ],
    [
      'does not settle',
      { settle: [refused('no')] },
      ...['settlement-failed', 'settle_exact_stellar_transaction_failed'],
    ],
  ] as const) {
    it(`that ${name} is a 402 with ${problem}, our code as error, and no receipt`, async () => {
      const { sold } = await buy(script);
      assert.ok(sold.kind === 'answer');
      assert.equal(sold.answer.status, 402);
      const body = bodyOf(sold);
      assert.equal(body['type'], `https://paymentauth.org/problems/${problem}`);
      assert.equal(body['error'], error);
      assert.equal(headerOf(sold, 'payment-receipt'), undefined);
      assert.ok(challengeIn(sold));
    });
  }

  it('is not begun while the facilitator is busy', async () => {
    const { seller, sold } = await buy({ verify: { status: 503, body: {} } });
    assert.ok(sold.kind === 'answer');
    assert.deepEqual([sold.answer.status, sold.reason], [503, 'unverified']);
    assert.deepEqual(seller.log, ['verify']);
  });
});

describe('One transaction that is presented by both protocols', () => {
  /** A payment of x402 with the transaction of a credential. */
  async function x402For(seller: ReturnType<typeof shop>, { payload }: MppCredential) {
    const sold = await seller.ask(request());
    const header = headerOf(sold, 'payment-required') ?? '';
    const [accepted] = paymentRequiredSchema.parse(decodeHeaderMessage(header)).accepts;
    const { paymentPayload } = paymentRequest();
    const { transaction } = payload;
    return encodeHeaderMessage({ ...paymentPayload, payload: { transaction }, accepted });
  }

  for (const [first, second] of [
    ['x402', 'mpp'],
    ['mpp', 'x402'],
  ] as const) {
    it(`is sold once, by ${first}; the other presentation is 409`, async () => {
      const seller = shop();
      const credential = credentialFor(challengeIn(await seller.ask(request())));
      const by = {
        mpp: paid(credential),
        x402: request({ 'payment-signature': await x402For(seller, credential) }),
      };
      assert.equal((await seller.ask(by[first])).kind, 'sold');
      const other = await seller.ask(by[second]);
      assert.ok(other.kind === 'answer');
      assert.deepEqual([other.answer.status, other.reason], [409, 'other_request']);
      assert.deepEqual(seller.log, ['verify', 'serve', 'settle']);
    });
  }

  it('is sold once if both arrive at the same time, ten of each', async () => {
    const seller = shop();
    const credential = credentialFor(challengeIn(await seller.ask(request())));
    const header = await x402For(seller, credential);
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        seller.ask(index % 2 === 0 ? paid(credential) : request({ 'payment-signature': header })),
      ),
    );
    assert.equal(all.filter(({ kind }) => kind === 'sold').length, 10);
    assert.deepEqual(afterVerifying(seller.log), ['serve', 'settle']);
  });

  it('in one request is one sale', async () => {
    const seller = shop();
    const credential = credentialFor(challengeIn(await seller.ask(request())));
    const headers = {
      'payment-signature': await x402For(seller, credential),
      authorization: writeCredential(credential),
    };
    assert.equal((await seller.ask(request(headers))).kind, 'sold');
    assert.equal((await seller.ask(request(headers))).kind, 'sold');
    assert.deepEqual(seller.log, ['verify', 'serve', 'settle']);
  });
});

const DIGEST = createHash('sha256').update('{"q":1}').digest('base64');
const OTHER_DIGEST = createHash('sha256').update('{"q":2}').digest('base64');
const POST = { method: 'POST', target: '/quote', bodyDigest: DIGEST };

/** What an attacker has: a good credential for a POST, and the seller's challenges of other requests. */
interface Loot {
  readonly good: MppCredential;
  /** Of another target. */
  readonly other: MppChallenge;
}

type Attack = (loot: Loot) => {
  readonly authorization: string;
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

const cheap = atomicAmount(1n);
assert.ok(cheap !== undefined);

const ATTACKS: readonly (readonly [name: string, attack: Attack, status?: number])[] = [
  // Ids
  ['an empty id', challenged(() => ({ id: '' }))],
  ['the id of another challenge', challenged(({ other }) => ({ id: other.id }))],
  ['a shortened id', challenged(({ good }) => ({ id: good.challenge.id.slice(0, -1) }))],
  ['a lengthened id', challenged(({ good }) => ({ id: `${good.challenge.id}A` }))],
  ['a padded id', challenged(({ good }) => ({ id: `${good.challenge.id}=` }))],
  ['an id in lower case', challenged(({ good }) => ({ id: good.challenge.id.toLowerCase() }))],
  ['an id of another secret', resigned({})],
  ['an id that is null', challenged(() => ({ id: null }))],
  ['an id that is a number', challenged(() => ({ id: 7 }))],
  ['an id in a list', challenged(({ good }) => ({ id: [good.challenge.id] }))],
  ['no id', challenged(() => ({ id: undefined }))],
  ['an id of a character outside ASCII', challenged(() => ({ id: 'é'.repeat(21) }))],
  // Realms
  ['another realm', challenged(() => ({ realm: 'other.example' }))],
  ['an empty realm', challenged(() => ({ realm: '' }))],
  ['the realm in upper case', challenged(() => ({ realm: 'SELLER.EXAMPLE' }))],
  ['a realm with a port', challenged(() => ({ realm: 'seller.example:80' }))],
  ['a realm that swallows the method', challenged(() => ({ realm: 'seller.example|stellar' }))],
  ['no realm', challenged(() => ({ realm: undefined }))],
  ['a realm of another host', at({}, { resource: { url: 'http://other.example/quote' } })],
  // Methods and intents
  ['another method', challenged(() => ({ method: 'tempo' })), 400],
  ['the method in upper case', challenged(() => ({ method: 'STELLAR' })), 400],
  ['an empty method', challenged(() => ({ method: '' })), 400],
  ['a channel', challenged(() => ({ intent: 'channel' })), 400],
  ['a session', challenged(() => ({ intent: 'session' })), 400],
  ['an intent that swallows the request', challenged(() => ({ intent: 'charge|' })), 400],
  // Terms
  ['a lower amount', challenged(() => ({ request: charge({ amount: 1n }) }))],
  ['a lower amount under another secret', resigned({ request: charge({ amount: 1n }) })],
  ['another recipient', challenged(() => ({ request: charge({ payTo: STRANGER.address }) }))],
  ['another asset', challenged(() => ({ request: charge({ asset: OTHER_ASSET }) }))],
  ['another network', challenged(() => ({ request: charge({ network: 'stellar:pubnet' }) }))],
  ['terms with padding', challenged(({ good }) => ({ request: `${good.challenge.request}=` }))],
  ['terms as an object', challenged(() => ({ request: { amount: '1' } }))],
  ['no terms', challenged(() => ({ request: undefined }))],
  ['empty terms', challenged(() => ({ request: '' }))],
  ['the price of yesterday', at({}, { amount: cheap })],
  ['the recipient of yesterday', at({}, { payTo: STRANGER.address })],
  // Expiry
  ['a later expiry', challenged(() => ({ expires: '2027-01-01T00:00:00.000Z' }))],
  ['a later expiry under another secret', resigned({ expires: '2027-01-01T00:00:00.000Z' })],
  ['no expiry', challenged(() => ({ expires: undefined }))],
  ['an empty expiry', challenged(() => ({ expires: '' }))],
  ['an expiry that is not a time', challenged(() => ({ expires: 'never' }))],
  ['an expired challenge', ({ good }) => ({ authorization: writeCredential(good), later: 60_001 })],
  [
    'a challenge of last year',
    ({ good }) => ({ authorization: writeCredential(good), later: 3e10 }),
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
  ['an opaque as an object', challenged(() => ({ opaque: { resource: 'POST /quote' } }))],
  ['an opaque in the digest', challenged(({ good }) => ({ digest: `|${good.challenge.opaque}` }))],
  // Payments
  ['a hash', paying({ type: 'hash', hash: HASH }), 400],
  ['a signed hash', paying({ type: 'signedHash', hash: HASH, sourceSignature: 'ab' }), 400],
  ['no type', paying({ type: undefined }), 400],
  ['a type of a list', paying({ type: ['transaction'] }), 400],
  ['no transaction', paying({ transaction: undefined })],
  ['a transaction that is a number', paying({ transaction: 7 })],
  ['an empty transaction', paying({ transaction: '' })],
  ['bytes that are not a transaction', paying({ transaction: 'AAAA' })],
  [
    'a transaction that its source authorizes',
    paying({ transaction: transactionOf({ entries: [{ kind: 'sourceAccount' }] }) }),
  ],
  ['two authorizations', paying({ transaction: transactionOf({ entries: [{}, { nonce: 2n }] }) })],
  ['no authorization', paying({ transaction: transactionOf({ entries: [] }) })],
  // Sources
  ['the source of somebody else', sourced(`did:pkh:stellar:testnet:${STRANGER.address}`)],
  ['a source on another network', sourced(`did:pkh:stellar:pubnet:${PAYER.address}`)],
  ['a source that is an address', sourced(PAYER.address)],
  ['an empty source', sourced('')],
  ['a source that is a number', sourced(7)],
  ['a source with more behind it', sourced(`did:pkh:stellar:testnet:${PAYER.address}x`)],
  // Headers
  ['nothing behind the scheme', raw(() => 'Payment')],
  ['spaces behind the scheme', raw(() => 'Payment   ')],
  ['no base64url', raw(() => 'Payment !!!')],
  ['an empty object', raw(() => 'Payment e30')],
  ['a list', raw(() => `Payment ${encodeJson([])}`)],
  ['null', raw(() => `Payment ${encodeJson(null)}`)],
  ['JSON without base64url', raw((good) => `Payment ${JSON.stringify(good)}`)],
  ['two credentials', raw((good) => `${writeCredential(good)}, ${writeCredential(good)}`)],
  [
    'bytes that are not UTF-8',
    raw(() => `Payment ${Buffer.from([0xff, 0xfe]).toString('base64url')}`),
  ],
  [
    'a message of 80,000 characters',
    raw((good) => `${writeCredential(good)}${'A'.repeat(80_000)}`),
  ],
  [
    '10,000 nested lists',
    raw(() => `Payment ${Buffer.from('['.repeat(10_000)).toString('base64url')}`),
  ],
  ['no payload', raw(({ challenge }) => `Payment ${encodeJson({ challenge })}`)],
  ['no challenge', raw(({ payload }) => `Payment ${encodeJson({ payload })}`)],
  [
    'a challenge that is a text',
    raw(({ challenge, payload }) => `Payment ${encodeJson({ challenge: challenge.id, payload })}`),
  ],
];

describe(`None of ${ATTACKS.length} credentials is served, and none reaches the facilitator:`, () => {
  for (const [name, attack, status = 402] of ATTACKS) {
    it(name, async () => {
      const seller = shop();
      const terms = { resource: { url: 'http://seller.example/quote' } };
      const good = credentialFor(challengeIn(await seller.ask(request({}, POST), terms)));
      const other = challengeIn(await seller.ask(request({}, { ...POST, target: '/gold' }), terms));
      const { authorization, request: more, terms: changed, later = 0 } = attack({ good, other });
      seller.clock.now += later;
      const asked = request({ authorization }, { ...POST, ...more });
      const sold = await seller.ask(asked, { ...terms, ...changed });
      assert.ok(sold.kind === 'answer');
      assert.deepEqual([sold.answer.status, sold.reason], [status, 'refused']);
      assert.deepEqual(seller.log, []);
      assert.equal(headerOf(sold, 'cache-control'), 'no-store');
      // The good credential is as good as before.
      seller.clock.now = NOW;
      assert.equal((await seller.ask(paid(good, POST), terms)).kind, 'sold');
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
