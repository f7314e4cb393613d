import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeStrKey } from '../../protocol/index.ts';
import {
  askPayment,
  type PaymentAnswer,
  type PaymentFacts,
  whatIsWrongWithPayment,
} from './paymentForm.ts';

const OWN = encodeStrKey('account', new Uint8Array(32).fill(7));
const NEW: PaymentFacts = { payTo: undefined, local: true, price: '0.01', description: undefined };

/** Fills the form in with these answers, in turn, and returns what was asked. */
async function fill(facts: Partial<PaymentFacts>, replies: readonly (PaymentAnswer | string)[]) {
  const asked: string[] = [];
  const result = await askPayment(
    { ...NEW, ...facts },
    async ({ question, step, totalSteps, back }) => {
      asked.push(`${question} ${step}/${totalSteps}${back ? ' <' : ''}`);
      assert.ok(asked.length <= replies.length, `nobody answers ${question}`);
      const reply = replies[asked.length - 1];
      return typeof reply === 'string' && reply !== 'back' ? { text: reply } : reply;
    },
  );
  return { result, asked };
}

describe('E5: one form with numbered steps asks for everything that a payment needs', () => {
  it('a newcomer is asked who is paid, the price, and what a buyer gets', async () => {
    const { result, asked } = await fill({}, ['create', ' 0.02 ', 'The weather of a city']);
    assert.deepEqual(asked, ['wallet 1/3', 'price 2/3 <', 'description 3/3 <']);
    assert.deepEqual(result, {
      ...{ wallet: 'create', payTo: '', price: '0.02', preview: false },
      description: 'The weather of a city',
    });
  });

  it('an address of their own is the second half of the first step', async () => {
    const { result, asked } = await fill({}, ['own', OWN, '1', '']);
    assert.deepEqual(asked, ['wallet 1/3', 'payTo 1/3 <', 'price 2/3 <', 'description 3/3 <']);
    assert.equal(result?.payTo, OWN);
    assert.equal(result?.wallet, 'own');
  });

  it('known values are not asked for', async () => {
    const known = { payTo: OWN, description: 'Tells the weather.' };
    assert.deepEqual((await fill(known, ['0.01'])).asked, ['price 1/1']);
    const { asked, result } = await fill({ payTo: OWN }, ['0.01', '']);
    assert.deepEqual(asked, ['price 1/2', 'description 2/2 <']);
    assert.equal(result?.payTo, OWN);
  });

  it('without a local network no wallet is created: on testnet the address is typed', async () => {
    const { asked, result } = await fill({ local: false }, [OWN, '0.01', '']);
    assert.deepEqual(asked, ['payTo 1/3', 'price 2/3 <', 'description 3/3 <']);
    assert.equal(result?.wallet, 'own');
  });

  it('goes back, keeps the answers, and closes from the first question', async () => {
    const shown: string[] = [];
    const result = await askPayment(NEW, async ({ question, answers }) => {
      shown.push(`${question} ${answers.wallet} ${answers.price}`);
      const replies: PaymentAnswer[] = [{ text: 'own' }, { text: OWN }, { text: '3' }, 'back'];
      return replies[shown.length - 1] ?? 'back';
    });
    assert.equal(result, undefined);
    assert.deepEqual(shown, [
      'wallet create 0.01',
      'payTo own 0.01',
      'price own 0.01',
      'description own 3',
      'price own 3',
      'payTo own 3',
      'wallet own 3',
    ]);
  });

  it('after a change of mind the address is not asked for again', async () => {
    const replies = ['own', 'back', 'create', '0.01', ''] as const;
    const { asked } = await fill({}, replies);
    assert.deepEqual(asked.slice(1), [
      'payTo 1/3 <',
      'wallet 1/3',
      'price 2/3 <',
      'description 3/3 <',
    ]);
  });

  it('a preview ends the form with the known values', async () => {
    const { result, asked } = await fill({}, ['create', { text: '0.5', preview: true }]);
    assert.equal(asked.length, 2);
    assert.deepEqual(result, {
      ...{ wallet: 'create', payTo: '', price: '0.5', description: '', preview: true },
    });
  });

  it('cancelling at any step adds nothing', async () => {
    assert.equal((await fill({}, [undefined])).result, undefined);
    assert.equal((await fill({}, ['create', undefined])).result, undefined);
    assert.equal((await fill({}, ['create', '0.01', undefined])).result, undefined);
  });

  it('refuses invalid addresses, secrets with a warning, and prices that nobody can pay', () => {
    assert.equal(whatIsWrongWithPayment('payTo', ` ${OWN} `), undefined);
    assert.match(whatIsWrongWithPayment('payTo', `S${'A'.repeat(55)}`) ?? '', /SECRET/);
    assert.ok(whatIsWrongWithPayment('payTo', ''));
    assert.equal(whatIsWrongWithPayment('price', '0.01'), undefined);
    for (const price of ['', '0', '0.00000001', '99999999999999999999']) {
      assert.ok(whatIsWrongWithPayment('price', price), price);
    }
    assert.equal(whatIsWrongWithPayment('description', ''), undefined);
  });
});
