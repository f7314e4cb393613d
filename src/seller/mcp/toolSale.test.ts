import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  credentialFor,
  HASH,
  NOW,
  refused,
  SETTLED,
  shop,
  signed,
  transactionOf,
} from '../../../test/mpp/mppShop.ts';
import { paymentRequest, STRANGER } from '../../../test/support/payment.ts';
import { encodeHeaderMessage } from '../../protocol/index.ts';
import {
  CREDENTIAL_META,
  challengeToJson,
  credentialHeader,
  declaredMethods,
  encodeJson,
  type MppChallenge,
  RECEIPT_META,
  REQUIRED_META,
  readCredential,
  readRequired,
} from '../../protocol/mpp/index.ts';
import { paymentRequiredSchema } from '../../protocol/wire/index.ts';
import { errorAnswer } from '../decide.ts';
import type { Offer } from '../offer.ts';
import {
  owedAnswer,
  paidMeta,
  SETTLEMENT_META,
  type SoldCall,
  type ToolError,
  toolAnswerOf,
  toolRequest,
} from './toolSale.ts';

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64');

function call(more: Partial<SoldCall> = {}): SoldCall {
  return {
    ...{ path: '/mcp', tool: 'search', digest: digestOf('{"name":"search"}') },
    ...{ payment: undefined, credential: undefined, accepts: undefined, ...more },
  };
}

/** Asks a seller for a call, as a server does that sells tools. */
async function ask(
  seller: ReturnType<typeof shop>,
  more: Partial<SoldCall> = {},
  terms: Partial<Offer> = {},
) {
  const asked = call(more);
  const sold = await seller.ask(toolRequest(asked), terms);
  if (sold.kind === 'sold') return { sold, paid: paidMeta(sold.headers, asked) };
  if (sold.kind === 'failed') return { sold, paid: paidMeta(sold.headers, asked) };
  return { sold, answer: toolAnswerOf(sold.answer, asked) };
}

type Asked = Awaited<ReturnType<typeof ask>>;

function errorIn({ answer }: Asked): ToolError {
  assert.ok(answer !== undefined && 'error' in answer, JSON.stringify(answer));
  return answer.error;
}

function resultIn({ answer }: Asked) {
  assert.ok(answer !== undefined && 'result' in answer, JSON.stringify(answer));
  return answer.result;
}

function challengesIn(data: unknown) {
  const required = readRequired(data);
  assert.ok(required !== undefined);
  return required;
}

const MPP = { accepts: 'stellar/charge' };

/** A credential as a client of MCP sends it, for the challenge of a call. */
async function credentialOf(seller: ReturnType<typeof shop>, more: Partial<SoldCall> = {}) {
  const { data } = errorIn(await ask(seller, { ...more, ...MPP }));
  const [received] = challengesIn(data);
  assert.ok(received);
  const { challenge, sent } = received;
  return { challenge, credential: { ...credentialFor(challenge), challenge: sent } };
}

/** A payment of x402 for a call, as a client of MCP sends it. */
async function paymentOf(seller: ReturnType<typeof shop>) {
  const { structuredContent } = resultIn(await ask(seller));
  const [accepted] = paymentRequiredSchema.parse(structuredContent).accepts;
  return { ...paymentRequest().paymentPayload, accepted };
}

describe('A call of a sold tool without a payment is answered', () => {
  it('with a result that has the terms of both, if the client declared nothing', async () => {
    const result = resultIn(await ask(shop()));
    assert.equal(result.isError, true);
    const terms = result.structuredContent as { accepts: { amount: string }[] };
    assert.equal(terms.accepts[0]?.amount, '100000');
    assert.deepEqual(JSON.parse(result.content[0].text), JSON.parse(JSON.stringify(terms)));
    assert.deepEqual(Object.keys(result._meta ?? {}), [REQUIRED_META]);
    const [received] = challengesIn(result._meta?.[REQUIRED_META]);
    assert.ok(received);
    assert.equal(received.challenge.id, signed(received.challenge).id);
  });

  it('with error -32042, if the client declared charges on Stellar', async () => {
    const { code, data } = errorIn(await ask(shop(), MPP));
    assert.equal(code, -32_042);
    const { challenges, problem, httpStatus } = data as {
      challenges: Record<string, unknown>[];
      problem: Record<string, unknown>;
      httpStatus: number;
    };
    assert.equal(httpStatus, 402);
    assert.deepEqual(challenges[0]?.['request'], {
      ...{ amount: '100000', currency: paymentRequest().paymentRequirements.asset },
      recipient: paymentRequest().paymentRequirements.payTo,
      methodDetails: {
        ...{ network: 'stellar:testnet', feePayer: true },
        credentialTypes: ['transaction'],
      },
    });
    assert.equal(problem['type'], 'https://paymentauth.org/problems/payment-required');
    assert.equal(problem['challengeId'], challenges[0]?.['id']);
    assert.equal('failure' in data, false);
  });

  it('with error -32042 to everybody, if the seller speaks MPP alone', async () => {
    const { mpp } = shop();
    for (const accepts of [undefined, 'tempo/charge']) {
      const answer = await ask(shop({ protocols: [mpp] }), { accepts });
      assert.equal(errorIn(answer).code, -32_042);
    }
  });

  it('with x402 alone, if the client declared other methods of MPP', async () => {
    const result = resultIn(await ask(shop(), { accepts: 'tempo/charge' }));
    assert.ok(result.structuredContent);
    assert.equal(result._meta, undefined);
  });

  for (const [capabilities, expected] of [
    [undefined, undefined],
    [{}, undefined],
    [{ experimental: { payment: {} } }, undefined],
    [{ experimental: { payment: { methods: { stellar: 'charge' } } } }, undefined],
    [{ experimental: { payment: { methods: {} } } }, ''],
    [{ experimental: { payment: { methods: { stellar: {} } } } }, ''],
    [
      {
        experimental: {
          payment: {
            methods: { stellar: { intents: ['charge', 'channel'] }, x: { intents: ['y'] } },
          },
        },
      },
      'stellar/charge, stellar/channel, x/y',
    ],
  ] as const) {
    it(`${JSON.stringify(capabilities)} declares ${expected}`, () =>
      assert.equal(declaredMethods(capabilities), expected));
  }
});

describe('A call of a sold tool with a credential of MPP', () => {
  it('is sold, with a receipt that names the challenge, the hash and the time', async () => {
    const seller = shop();
    const { credential, challenge } = await credentialOf(seller);
    const { sold, paid } = await ask(seller, { credential });
    assert.equal(sold.kind, 'sold');
    assert.deepEqual(paid, {
      [RECEIPT_META]: {
        ...{ status: 'success', method: 'stellar', reference: HASH },
        ...{ timestamp: new Date(NOW).toISOString(), challengeId: challenge.id },
      },
    });
    assert.deepEqual(seller.log, ['verify', 'serve', 'settle']);
  });

  it('gets its result again with the same receipt', async () => {
    const seller = shop();
    const { credential } = await credentialOf(seller);
    const { paid } = await ask(seller, { credential });
    seller.clock.now += 3_600_000;
    const again = await ask(seller, { credential });
    assert.deepEqual(again.paid, paid);
    assert.equal(seller.log.filter((step) => step === 'settle').length, 1);
  });

  it('is the same sale whether request and opaque are objects or texts, in any order', async () => {
    const seller = shop();
    const { credential, challenge } = await credentialOf(seller);
    const opaque: unknown = JSON.parse(Buffer.from(challenge.opaque ?? '', 'base64url').toString());
    const { request, ...rest } = credential.challenge as Record<string, object>;
    const turned = Object.fromEntries(Object.entries(request ?? {}).reverse());
    for (const sent of [
      credential.challenge,
      { request: turned, ...rest },
      { ...rest, request, opaque },
      challenge,
    ]) {
      const { sold } = await ask(seller, { credential: { ...credential, challenge: sent } });
      assert.equal(sold.kind, 'sold');
    }
    assert.equal(seller.log.filter((step) => step === 'settle').length, 1);
  });

  for (const [name, credential] of [
    ['null', null],
    ['a text', 'Payment abc'],
    ['a number', 7],
    ['an empty object', {}],
    ['a list', [{}]],
    ['a challenge that is a text', { challenge: 'x', payload: {} }],
    ['a challenge without an id', { challenge: { realm: 'r' }, payload: {} }],
    ['a request that is a number', { challenge: { id: 'a', request: 7 }, payload: {} }],
    ['100,000 characters', { challenge: {}, payload: { transaction: 'A'.repeat(100_000) } }],
  ] as const) {
    it(`is -32602 without a challenge if it is ${name}`, async () => {
      const seller = shop();
      const { code, data } = errorIn(await ask(seller, { credential }));
      assert.equal(code, -32_602);
      assert.equal(typeof data['detail'], 'string');
      assert.equal('challenges' in data, false);
      assert.deepEqual(seller.log, []);
    });
  }

  for (const payload of [{ type: 'hash', hash: HASH }, { type: 'signedHash', hash: HASH }, {}]) {
    it(`is -32602 without a challenge if it carries ${JSON.stringify(payload)}, which may be paid already`, async () => {
      const seller = shop();
      const { credential } = await credentialOf(seller);
      const { code, data } = errorIn(await ask(seller, { credential: { ...credential, payload } }));
      assert.equal(code, -32_602);
      assert.equal('challenges' in data, false);
      assert.deepEqual(seller.log, []);
    });
  }

  const forged = (change: Partial<MppChallenge>) => ({
    change: ({ challenge }: { challenge: MppChallenge }) => ({ ...challenge, ...change }),
  });
  const cheaper = encodeJson({
    ...{ amount: '1', currency: paymentRequest().paymentRequirements.asset },
    ...{ recipient: paymentRequest().paymentRequirements.payTo },
    methodDetails: { network: 'stellar:testnet', feePayer: true, credentialTypes: ['transaction'] },
  });
  for (const [name, { change }] of [
    ['a lower price', forged({ request: cheaper })],
    ['another expiry', forged({ expires: '2027-01-01T00:00:00.000Z' })],
    ['another realm', forged({ realm: 'other.example' })],
    ['no digest', forged({ digest: undefined })],
    ['no opaque', forged({ opaque: undefined })],
    [
      'the opaque of another tool',
      forged({ opaque: encodeJson({ resource: 'tools/call /mcp#x' }) }),
    ],
    [
      'an id of another secret',
      { change: ({ challenge }: { challenge: MppChallenge }) => signed(challenge, 'other') },
    ],
  ] as const) {
    it(`is -32043 with a new challenge and the reason if its challenge has ${name}`, async () => {
      const seller = shop();
      const given = await credentialOf(seller);
      const credential = { ...given.credential, challenge: challengeToJson(change(given)) };
      const { code, data } = errorIn(await ask(seller, { credential }));
      assert.equal(code, -32_043);
      assert.equal((data['failure'] as { reason: string }).reason, 'invalid-challenge');
      const [fresh] = challengesIn(data);
      assert.ok(fresh);
      assert.equal(fresh.challenge.id, signed(fresh.challenge).id);
      assert.deepEqual(seller.log, []);
    });
  }

  for (const [name, more, terms] of [
    ['another tool', { tool: 'draw' }, {}],
    ['other arguments', { digest: digestOf('{"name":"search","arguments":{"a":1}}') }, {}],
    ['another server', { path: '/other' }, {}],
    ['another host', {}, { resource: { url: 'http://other.example/mcp' } }],
  ] as const) {
    it(`is -32043 for ${name}`, async () => {
      const seller = shop();
      const { credential } = await credentialOf(seller);
      assert.equal(errorIn(await ask(seller, { ...more, credential }, terms)).code, -32_043);
      assert.deepEqual(seller.log, []);
    });
  }

  it('is -32043 once its challenge has expired', async () => {
    const seller = shop();
    const { credential } = await credentialOf(seller);
    seller.clock.now += 60_001;
    const { code, data } = errorIn(await ask(seller, { credential }));
    assert.equal(code, -32_043);
    assert.equal((data['failure'] as { reason: string }).reason, 'payment-expired');
  });

  it('is -32043 with the reason of the facilitator, and of a settlement that is void', async () => {
    const verify = { status: 200, body: { isValid: false, invalidReason: 'insufficient_funds' } };
    for (const [script, reason] of [
      [{ verify }, 'insufficient_funds'],
      [{ settle: [refused('no')] }, 'settle_exact_stellar_transaction_failed'],
    ] as const) {
      const seller = shop(script);
      const { credential } = await credentialOf(seller);
      const { code, data } = errorIn(await ask(seller, { credential }));
      assert.equal(code, -32_043);
      assert.equal((data['failure'] as { reason: string }).reason, reason);
      assert.equal(challengesIn(data).length, 1);
    }
  });

  it('is -32603 without a challenge while its settlement is not decided, and is sold later', async () => {
    const pending = refused('not_yet', 'settlement_pending');
    const seller = shop({ settle: [pending, pending, pending, pending, SETTLED] });
    const { credential } = await credentialOf(seller);
    const { code, data } = errorIn(await ask(seller, { credential }));
    assert.equal(code, -32_603);
    assert.deepEqual(
      [data['httpStatus'], data['reason'], data['retryAfter'], 'challenges' in data],
      [503, 'settlement_undecided', 2, false],
    );
    assert.equal((await ask(seller, { credential })).sold.kind, 'sold');
  });

  it('is -32603 without a challenge while the facilitator does not answer', () => {
    const answer = toolAnswerOf(
      errorAnswer(503, 'facilitator_unavailable', 'Nothing was taken.'),
      call({ credential: {} }),
    );
    assert.ok('error' in answer);
    assert.equal(answer.error.code, -32_603);
  });

  it('whose tool failed after the money was taken is -32603, without a receipt', async () => {
    const seller = shop({
      offer: { settle: 'before' },
      page: { good: false, whole: true, text: 'broken' },
    });
    const { credential } = await credentialOf(seller);
    const asked = call({ credential });
    const { sold, paid } = await ask(seller, { credential });
    assert.ok(sold.kind === 'failed' && sold.owed && paid !== undefined);
    const answer = owedAnswer(asked, paid, 'broken');
    assert.ok('error' in answer);
    assert.deepEqual([answer.error.code, answer.error.data['reason']], [-32_603, 'sale_owed']);
  });
});

describe('One transaction that is presented for a tool by both protocols', () => {
  for (const [first, second] of [
    ['x402', 'mpp'],
    ['mpp', 'x402'],
  ] as const) {
    it(`is sold once, by ${first}`, async () => {
      const seller = shop();
      const { credential } = await credentialOf(seller);
      const by = { mpp: { credential }, x402: { payment: await paymentOf(seller) } };
      assert.equal((await ask(seller, by[first])).sold.kind, 'sold');
      const { sold, answer } = await ask(seller, by[second]);
      assert.ok(sold.kind === 'answer');
      assert.equal(sold.answer.status, 409);
      const { error } = { error: undefined, ...answer };
      assert.deepEqual(
        [error?.code, error?.data['reason']],
        second === 'mpp' ? [-32_603, 'payment_used'] : [undefined, undefined],
      );
      assert.deepEqual(seller.log, ['verify', 'serve', 'settle']);
    });
  }

  it('in one call is one sale, with the receipt of x402', async () => {
    const seller = shop();
    const { credential } = await credentialOf(seller);
    const payment = await paymentOf(seller);
    const { sold, paid } = await ask(seller, { credential, payment });
    assert.equal(sold.kind, 'sold');
    assert.deepEqual(Object.keys(paid ?? {}), [SETTLEMENT_META]);
  });
});

describe('A credential that was made for a tool', () => {
  it('buys no resource over HTTP, and one for a resource buys no tool', async () => {
    const seller = shop();
    const { credential, challenge } = await credentialOf(seller);
    const target = { method: 'tools/call', target: '/mcp#search', bodyDigest: '' };
    for (const asked of [
      { ...target, method: 'POST', target: '/mcp' },
      { ...target, method: 'GET', target: '/mcp#search' },
      { ...target, bodyDigest: digestOf('other') },
    ]) {
      const header = (name: string) =>
        name.toLowerCase() === 'authorization' ? credentialHeader(credential) : undefined;
      const sold = await seller.ask({ ...asked, header });
      assert.ok(sold.kind === 'answer');
      assert.equal(sold.answer.status, 402);
    }
    assert.ok(readCredential(credentialHeader(credential))?.challenge.id === challenge.id);
    assert.deepEqual(seller.log, []);
  });

  it('is refused if its source names somebody else, or if nobody authorized its transaction', async () => {
    const seller = shop();
    const { credential } = await credentialOf(seller);
    const source = `did:pkh:stellar:testnet:${STRANGER.address}`;
    const { code } = errorIn(await ask(seller, { credential: { ...credential, source } }));
    assert.equal(code, -32_043);
    const payload = { type: 'transaction', transaction: transactionOf({ entries: [] }) };
    assert.equal(
      errorIn(await ask(seller, { credential: { ...credential, payload } })).code,
      -32_043,
    );
    assert.deepEqual(seller.log, []);
  });

  it('is not read where x402 has its payments', async () => {
    const seller = shop();
    const { credential } = await credentialOf(seller);
    const result = resultIn(await ask(seller, { payment: credential }));
    assert.equal(result.isError, true);
    const text = encodeHeaderMessage({ [CREDENTIAL_META]: credential });
    assert.equal(resultIn(await ask(seller, { payment: text })).isError, true);
    assert.deepEqual(seller.log, []);
  });
});
