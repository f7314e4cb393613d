import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PAYER, paymentRequest, SELLER } from '../../test/support/payment.ts';
import {
  atomicAmount,
  decodeHeaderMessage,
  encodeHeaderMessage,
  USDC_CONTRACT,
} from '../protocol/index.ts';
import { paymentRequiredSchema } from '../protocol/wire/index.ts';
import type {
  FacilitatorAnswer,
  FacilitatorCall,
  Offer,
  SaleBook,
  SellerRequest,
} from './index.ts';
import { memoryBook, type Sold, sell, x402Protocol } from './index.ts';

interface Page {
  readonly good: boolean;
  readonly whole: boolean;
  readonly text: string;
}

const HASH = 'ab'.repeat(32);
const VALID = { status: 200, body: { isValid: true, payer: PAYER.address } };
const SETTLED = {
  status: 200,
  body: { success: true, transaction: HASH, network: 'stellar:testnet', payer: PAYER.address },
};
/** A refused settlement, with what the facilitator knows about the money. */
const refused = (moneyMoved: string | undefined, errorReason = 'authorization_replayed') => ({
  status: 200,
  body: {
    success: false,
    transaction: '',
    network: 'stellar:testnet',
    errorReason,
    ...(moneyMoved === undefined ? {} : { extra: { moneyMoved, transaction: HASH } }),
  },
});

function offer(more: Partial<Offer> = {}): Offer {
  const amount = atomicAmount(100_000n);
  assert.ok(amount !== undefined);
  return {
    network: 'stellar:testnet',
    asset: USDC_CONTRACT,
    amount,
    payTo: SELLER.address,
    maxTimeoutSeconds: 60,
    extra: { areFeesSponsored: true },
    resource: { url: 'http://seller.example/weather', description: 'Weather' },
    extensions: {},
    settle: 'after',
    ...more,
  };
}

function request(header: string | undefined, more: Partial<SellerRequest> = {}): SellerRequest {
  return {
    method: 'GET',
    target: '/weather',
    bodyDigest: '',
    header: (name) => (name.toLowerCase() === 'payment-signature' ? header : undefined),
    ...more,
  };
}

/** A seller with scripted answers of its facilitator; the last one of each endpoint repeats. */
function shop(script: {
  readonly verify?: readonly FacilitatorAnswer[];
  readonly settle?: readonly FacilitatorAnswer[];
  readonly page?: (transaction: string | undefined) => Page | Promise<Page>;
  readonly book?: SaleBook<Page>;
  readonly offer?: Partial<Offer>;
}) {
  const terms = offer(script.offer);
  const log: string[] = [];
  const errors: unknown[] = [];
  const left = {
    '/verify': [...(script.verify ?? [VALID])],
    '/settle': [...(script.settle ?? [SETTLED])],
  };
  const book = script.book ?? memoryBook<Page>({ now: () => 0 });
  const calls: FacilitatorCall[] = [];
  const ask = (asked: SellerRequest): Promise<Sold<Page>> =>
    sell(terms, asked, {
      protocols: [x402Protocol],
      book,
      async ask(call) {
        calls.push(call);
        log.push(call.path.slice(1));
        const answers = left[call.path];
        return answers.length > 1 ? answers.shift() : answers[0];
      },
      async serve(_, transaction) {
        log.push('serve');
        return script.page?.(transaction) ?? { good: true, whole: true, text: 'sunny' };
      },
      pause: () => new Promise((resolve) => setImmediate(resolve)),
      onError: (error) => errors.push(error),
    });
  return { ask, log, calls, errors, book, terms };
}

/** The header of a payment for what a seller asks in its challenge. */
async function pay(
  from: ReturnType<typeof shop>,
  more: Partial<SellerRequest> = {},
): Promise<string> {
  const sold = await from.ask(request(undefined, more));
  assert.ok(sold.kind === 'answer');
  const [accepted] = challengeIn(sold).accepts;
  const { paymentPayload } = paymentRequest();
  return encodeHeaderMessage({ ...paymentPayload, accepted });
}

function headerOf(sold: Sold<Page>, name: string): string | undefined {
  const headers = sold.kind === 'answer' ? sold.answer.headers : sold.headers;
  return headers.find(([each]) => each.toLowerCase() === name)?.[1];
}

function challengeIn(sold: Sold<Page>) {
  return paymentRequiredSchema.parse(decodeHeaderMessage(headerOf(sold, 'payment-required') ?? ''));
}

function receiptIn(sold: Sold<Page>): unknown {
  return decodeHeaderMessage(headerOf(sold, 'payment-response') ?? '');
}

describe('A seller asks for the price', () => {
  it('with terms that name the request, in a header that no cache keeps', async () => {
    const sold = await shop({}).ask(request(undefined, { target: '/weather?city=Lima' }));
    assert.ok(sold.kind === 'answer');
    assert.equal(sold.answer.status, 402);
    assert.equal(headerOf(sold, 'cache-control'), 'no-store');
    assert.equal(headerOf(sold, 'vary'), 'payment-signature');
    const [terms] = challengeIn(sold).accepts;
    assert.deepEqual(terms, {
      scheme: 'exact',
      network: 'stellar:testnet',
      asset: USDC_CONTRACT,
      amount: '100000',
      payTo: SELLER.address,
      maxTimeoutSeconds: 60,
      extra: {
        areFeesSponsored: true,
        'payment-identifier': { method: 'GET', resource: '/weather?city=Lima' },
      },
    });
  });

  for (const [name, header, error] of [
    ['nothing that is base64', '%', 'invalid_payload'],
    ['a message of another kind', encodeHeaderMessage({ hello: 1 }), 'invalid_payload'],
    [
      'other terms',
      encodeHeaderMessage(paymentRequest().paymentPayload),
      'no_matching_payment_requirements',
    ],
  ] as const) {
    it(`again if the payment is ${name}, without asking the facilitator`, async () => {
      const seller = shop({});
      const sold = await seller.ask(request(header));
      assert.ok(sold.kind === 'answer');
      assert.deepEqual([sold.answer.status, challengeIn(sold).error], [402, error]);
      assert.deepEqual(seller.log, []);
    });
  }

  it('again if the transaction has no authorization that can be read', async () => {
    const seller = shop({});
    const message = decodeHeaderMessage(await pay(seller)) as object;
    for (const transaction of ['AAAA', 7, undefined]) {
      const header = encodeHeaderMessage({ ...message, payload: { transaction } });
      const sold = await seller.ask(request(header));
      assert.equal(challengeIn(sold).error, 'invalid_exact_stellar_payload_malformed');
    }
    assert.deepEqual(seller.log, []);
  });

  it('again for a payment that was signed for another target or method', async () => {
    const seller = shop({});
    const header = await pay(seller);
    for (const other of [{ target: '/gold' }, { target: '/weather?x=1' }, { method: 'DELETE' }]) {
      const sold = await seller.ask(request(header, other));
      assert.equal(challengeIn(sold).error, 'no_matching_payment_requirements');
    }
  });
});

describe('A sale', () => {
  it('verifies, serves, settles, and delivers with the receipt, in this order', async () => {
    const seller = shop({});
    const sold = await seller.ask(request(await pay(seller)));
    assert.ok(sold.kind === 'sold');
    assert.equal(sold.response.text, 'sunny');
    assert.deepEqual(seller.log, ['verify', 'serve', 'settle']);
    assert.deepEqual([sold.transaction, sold.repeated], [HASH, false]);
    assert.deepEqual(receiptIn(sold), SETTLED.body);
  });

  it('that settles before gives the handler the transaction', async () => {
    const seen: (string | undefined)[] = [];
    const seller = shop({
      offer: { settle: 'before' },
      page: (transaction) => {
        seen.push(transaction);
        return { good: true, whole: false, text: 'stream' };
      },
    });
    const sold = await seller.ask(request(await pay(seller)));
    assert.equal(sold.kind, 'sold');
    assert.deepEqual(seller.log, ['verify', 'settle', 'serve']);
    assert.deepEqual(seen, [HASH]);
  });

  it("gives the facilitator the seller's own words about the resource, and the buyer's identifier", async () => {
    const seller = shop({ offer: { extensions: { bazaar: { info: { mine: true } } } } });
    const message = decodeHeaderMessage(await pay(seller)) as object;
    const id = { info: { id: 'order-2026-000000017' } };
    const extensions = { bazaar: { info: { forged: true } }, 'payment-identifier': id, more: 1 };
    const forged = { ...message, extensions, resource: { url: 'http://other.example/' } };
    await seller.ask(request(encodeHeaderMessage(forged)));
    const payload = seller.calls[0]?.body['paymentPayload'] as Record<string, unknown>;
    assert.deepEqual(payload['resource'], seller.terms.resource);
    assert.deepEqual(payload['extensions'], {
      bazaar: { info: { mine: true } },
      'payment-identifier': id,
    });
  });

  it('is made once: the identical request gets the kept response, fifty times', async () => {
    const seller = shop({});
    const header = await pay(seller);
    for (let times = 0; times < 50; times++) {
      const sold = await seller.ask(request(header));
      assert.ok(sold.kind === 'sold');
      assert.equal(sold.repeated, times > 0);
      assert.deepEqual(receiptIn(sold), SETTLED.body);
    }
    assert.deepEqual(seller.log, ['verify', 'serve', 'settle']);
  });

  it('is made once by ten requests at the same time', async () => {
    const seller = shop({
      page: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return { good: true, whole: true, text: 'sunny' };
      },
    });
    const header = await pay(seller);
    const all = await Promise.all(Array.from({ length: 10 }, () => seller.ask(request(header))));
    assert.deepEqual(
      all.map((sold) => sold.kind === 'sold' && sold.response.text),
      Array.from({ length: 10 }, () => 'sunny'),
    );
    assert.equal(seller.log.filter((step) => step === 'serve').length, 1);
    assert.equal(seller.log.filter((step) => step === 'settle').length, 1);
  });

  it('is not made under a payment that another body was sent with', async () => {
    const seller = shop({});
    const header = await pay(seller);
    await seller.ask(request(header, { bodyDigest: 'one' }));
    const sold = await seller.ask(request(header, { bodyDigest: 'two' }));
    assert.ok(sold.kind === 'answer');
    assert.deepEqual([sold.answer.status, sold.reason], [409, 'other_request']);
    assert.equal(seller.log.filter((step) => step === 'serve').length, 1);
  });

  it('of a stream is delivered once, and cannot be had again or twice at once', async () => {
    const seller = shop({ page: () => ({ good: true, whole: false, text: 'stream' }) });
    const header = await pay(seller);
    const first = await seller.ask(request(header));
    assert.ok(first.kind === 'sold');
    const during = await seller.ask(request(header));
    assert.ok(during.kind === 'answer');
    assert.deepEqual([during.answer.status, during.reason], [503, 'in_progress']);
    await first.ended('delivered');
    const after = await seller.ask(request(header));
    assert.ok(after.kind === 'answer');
    assert.equal(after.answer.status, 410);
    assert.deepEqual(receiptIn(after), SETTLED.body);
    assert.equal(seller.log.filter((step) => step === 'serve').length, 1);
  });

  it('of a stream that broke off is owed: the identical request is served without another payment', async () => {
    const seller = shop({ page: () => ({ good: true, whole: false, text: 'stream' }) });
    const header = await pay(seller);
    const first = await seller.ask(request(header));
    assert.ok(first.kind === 'sold');
    await first.ended('broken');
    const second = await seller.ask(request(header));
    assert.equal(second.kind, 'sold');
    assert.deepEqual(seller.log, ['verify', 'serve', 'settle', 'serve']);
  });
});

describe('Nothing is taken', () => {
  it('for a failure of the handler, and the same payment buys afterwards', async () => {
    const pages = [
      { good: false, whole: true, text: 'broken' },
      { good: true, whole: true, text: 'sunny' },
    ];
    const seller = shop({ page: () => pages.shift() ?? assert.fail() });
    const header = await pay(seller);
    const failed = await seller.ask(request(header));
    assert.ok(failed.kind === 'failed');
    assert.deepEqual([failed.owed, failed.headers], [false, []]);
    assert.equal((await seller.ask(request(header))).kind, 'sold');
    assert.deepEqual(seller.log, ['verify', 'serve', 'verify', 'serve', 'settle']);
  });

  it('for a payment that the facilitator refuses; the handler isn’t called', async () => {
    const verify = [{ status: 200, body: { isValid: false, invalidReason: 'insufficient_funds' } }];
    const seller = shop({ verify });
    const sold = await seller.ask(request(await pay(seller)));
    assert.equal(challengeIn(sold).error, 'insufficient_funds');
    assert.deepEqual(seller.log, ['verify']);
  });

  for (const [name, answer] of [
    ['does not answer', undefined],
    ['answers in another form', { status: 200, body: { hello: 1 } }],
    ['is busy', { status: 429, body: { isValid: false, invalidReason: 'rate_limited' } }],
    ['fails', { status: 503, body: { isValid: false, invalidReason: 'unavailable' } }],
  ] as const) {
    it(`while the facilitator ${name}; the handler isn’t called`, async () => {
      const seller = shop({ verify: [answer] });
      const sold = await seller.ask(request(await pay(seller)));
      assert.ok(sold.kind === 'answer');
      assert.deepEqual([sold.answer.status, sold.reason], [503, 'unverified']);
      assert.deepEqual(seller.log, ['verify']);
    });
  }

  it('while the sale cannot be stored', async () => {
    const inner = memoryBook<Page>({ now: () => 0 });
    const full = new Error('the disk is full');
    const seller = shop({ book: { ...inner, hold: () => Promise.reject(full) } });
    const header = await pay(seller);
    const sold = await seller.ask(request(header));
    assert.ok(sold.kind === 'answer');
    assert.deepEqual([sold.answer.status, sold.reason], [503, 'book_unavailable']);
    assert.deepEqual(seller.log, ['verify', 'serve']);
    assert.deepEqual(seller.errors, [full]);
    assert.equal((await inner.recall({ key: 'none', request: '' })).state, 'none');
  });
});

describe('Nothing is delivered', () => {
  for (const moneyMoved of ['no', 'fees', undefined]) {
    it(`for a settlement that failed (moneyMoved ${moneyMoved}): new terms and the receipt`, async () => {
      const answer = refused(moneyMoved, 'settle_exact_stellar_transaction_failed');
      const seller = shop({ settle: [answer] });
      const sold = await seller.ask(request(await pay(seller)));
      assert.ok(sold.kind === 'answer');
      assert.deepEqual([sold.answer.status, sold.reason], [402, 'not_settled']);
      assert.deepEqual(receiptIn(sold), answer.body);
    });
  }

  it('for an authorization that paid for something else', async () => {
    const seller = shop({ settle: [refused('yes')] });
    const sold = await seller.ask(request(await pay(seller)));
    assert.ok(sold.kind === 'answer');
    assert.equal(sold.answer.status, 402);
  });

  for (const [name, answer] of [
    ['does not answer', undefined],
    ['fails without a body', { status: 502, body: undefined }],
    ['has not decided', refused('unknown', 'settlement_pending')],
    ['could not submit it yet', refused('not_yet', 'channels_busy')],
    ['of another make is pending', refused(undefined, 'settlement_pending')],
  ] as const) {
    it(`while the facilitator ${name}: the identical request gets the kept response later`, async () => {
      const settle: FacilitatorAnswer[] = [answer, answer, answer, answer, SETTLED];
      const seller = shop({ settle });
      const header = await pay(seller);
      const first = await seller.ask(request(header));
      assert.ok(first.kind === 'answer');
      assert.deepEqual([first.answer.status, first.reason], [503, 'undecided']);
      assert.equal(headerOf(first, 'payment-required'), undefined);
      const second = await seller.ask(request(header));
      assert.ok(second.kind === 'sold');
      assert.equal(second.repeated, true);
      assert.equal(seller.log.filter((step) => step === 'serve').length, 1);
      assert.equal(seller.log.filter((step) => step === 'verify').length, 1);
    });
  }
});

describe('A seller that ended in the middle of a sale', () => {
  it('delivers the kept response if the facilitator says that its payment was made', async () => {
    const book = memoryBook<Page>({ now: () => 0 });
    const first = shop({ book, settle: [undefined] });
    const header = await pay(first);
    await first.ask(request(header));
    const second = shop({ book, settle: [refused('yes')] });
    const sold = await second.ask(request(header));
    assert.ok(sold.kind === 'sold');
    assert.equal(sold.response.text, 'sunny');
    assert.equal(sold.transaction, HASH);
    assert.deepEqual(second.log, ['settle']);
  });

  it('serves what was paid before it was served', async () => {
    const book = memoryBook<Page>({ now: () => 0 });
    const settle = { settle: 'before' } as const;
    const first = shop({ book, offer: settle, settle: [undefined] });
    const header = await pay(first);
    await first.ask(request(header));
    assert.deepEqual(first.log.includes('serve'), false);
    const second = shop({ book, offer: settle, settle: [refused('yes')] });
    assert.equal((await second.ask(request(header))).kind, 'sold');
    assert.deepEqual(second.log, ['settle', 'serve']);
  });

  it('does not say that nothing was taken if it fails once the settlement was asked for', async () => {
    const inner = memoryBook<Page>({ now: () => 0 });
    const stream = { good: true, whole: false, text: 'stream' };
    const seller = shop({ book: inner, settle: [undefined], page: () => stream });
    const header = await pay(seller);
    await seller.ask(request(header));
    const again = shop({ book: inner, settle: [SETTLED], page: () => assert.fail('gone') });
    const sold = await again.ask(request(header));
    assert.ok(sold.kind === 'answer');
    assert.match(sold.answer.body, /do not sign another payment/);
  });
});
