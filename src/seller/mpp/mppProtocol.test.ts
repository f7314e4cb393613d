import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  afterVerifying,
  bodyOf,
  challengeIn,
  credentialFor,
  HASH,
  headerOf,
  paid,
  refused,
  request,
  SETTLED,
  shop,
  signed,
} from '../../../test/mpp/mppShop.ts';
import { PAYER, paymentRequest, SELLER } from '../../../test/support/payment.ts';
import {
  atomicAmount,
  decodeHeaderMessage,
  encodeHeaderMessage,
  USDC_CONTRACT,
} from '../../protocol/index.ts';
import {
  encodeJson,
  type MppCredential,
  readReceipt,
  writeCredential,
} from '../../protocol/mpp/index.ts';
import { paymentRequiredSchema } from '../../protocol/wire/index.ts';
import { type SellerRequest, x402Protocol } from '../index.ts';

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
