import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { encodeHeaderMessage } from '../../src/protocol/index.ts';
import { writeReceipt } from '../../src/protocol/mpp/index.ts';
import { MISUSES, misuse, type Outcome, outcomeOf, send, UNPAID } from './kills/buyer.ts';
import { serve } from './support/shop.ts';

const PAYMENT = { x402: { 'payment-signature': 'a' }, mpp: { authorization: 'Payment b' } };
const WISH = { target: '/thing/1', body: '{"sale":1}' };
const RECEIPT = { success: true, transaction: 'ab'.repeat(32) };
const SETTLED = { 'payment-response': encodeHeaderMessage(RECEIPT) };
const CHARGED = {
  'payment-receipt': writeReceipt({
    ...{ status: 'success', method: 'stellar', reference: RECEIPT.transaction },
  }),
};

describe('The judge of sales while processes die', () => {
  let answer = (_: ServerResponse): void => {};
  let seller: Awaited<ReturnType<typeof serve>>;
  before(async () => {
    seller = await serve((request, response) => {
      request.resume();
      request.on('end', () => answer(response));
    });
  });
  after(() => seller?.close());
  const answers = (status: number, headers: Readonly<Record<string, string>>, body: string) => {
    answer = (response) => void response.writeHead(status, headers).end(body);
  };
  const ask = async () => outcomeOf(await send(seller.url, WISH, PAYMENT.mpp), WISH);
  const right = `this is ${WISH.target} ${WISH.body}`;

  async function delivered(headers: Readonly<Record<string, string>>) {
    answers(200, headers, right);
    const outcome = await ask();
    assert.ok(outcome?.kind === 'delivered');
    return outcome satisfies Outcome;
  }

  for (const [name, headers] of [
    ['x402', SETTLED],
    ['MPP', CHARGED],
  ] as const) {
    it(`reads the hash in a receipt of ${name}, and whose body it is`, async () => {
      const outcome = await delivered(headers);
      assert.deepEqual([outcome.transaction, outcome.isRight], [RECEIPT.transaction, true]);
      answers(200, headers, 'this is /thing/2');
      const other = await ask();
      assert.ok(other?.kind === 'delivered');
      assert.equal(other.isRight, false);
    });
  }

  it('reports what is given away', async () => {
    answers(200, {}, right);
    assert.deepEqual(await ask(), { kind: 'refused', reason: UNPAID });
    const failed = encodeHeaderMessage({ success: false, transaction: '' });
    answers(200, { 'payment-response': failed }, right);
    assert.deepEqual(await ask(), { kind: 'refused', reason: UNPAID });
  });

  for (const how of MISUSES) {
    it(`reports a payment ${how} that gets more, and none that gets nothing`, async () => {
      const first = await delivered(CHARGED);
      const tried = () => misuse(how, seller.url, WISH, PAYMENT, 'mpp', first);
      answers(200, SETTLED, right);
      assert.match((await tried()) ?? '', /: 200/);
      if (how === 'replayed') answers(200, CHARGED, right);
      else answers(409, {}, '');
      assert.equal(await tried(), undefined);
    });
  }
});
