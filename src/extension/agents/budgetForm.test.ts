import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeStrKey } from '../../protocol/index.ts';
import {
  askBudget,
  type BudgetAnswer,
  type BudgetAnswers,
  grantArguments,
  whatIsWrongWithBudget,
} from './budgetForm.ts';

const account = (seed: number) => encodeStrKey('account', new Uint8Array(32).fill(seed));
const answer = (text: string): BudgetAnswer => ({ text });
const ANSWERS: BudgetAnswers = {
  name: 'weather',
  budget: '5 USDC',
  window: 'week',
  maxPayments: '',
  perPayment: '0.1 USDC',
  recipients: '',
  expires: '7d',
};

/** Fills the form in with these answers, in turn, and returns what was asked. */
async function fill(replies: readonly BudgetAnswer[]) {
  const asked: string[] = [];
  const result = await askBudget(async ({ question, step, totalSteps }) => {
    asked.push(`${question} ${step}/${totalSteps}`);
    assert.ok(asked.length <= replies.length, `nobody answers ${question}`);
    return replies[asked.length - 1];
  });
  return { result, asked };
}

describe('The form of a budget', () => {
  it('asks seven questions, and trims the answers', async () => {
    const typed = Object.values(ANSWERS).map((text) => answer(` ${text} `));
    const { result, asked } = await fill(typed);
    assert.deepEqual(result, ANSWERS);
    assert.deepEqual(asked, [
      'name 1/7',
      'budget 2/7',
      'window 3/7',
      'maxPayments 4/7',
      'perPayment 5/7',
      'recipients 6/7',
      'expires 7/7',
    ]);
  });

  it('goes back, keeps the answers, and closes from the first question', async () => {
    const shown: string[] = [];
    await askBudget(async ({ question, answers }) => {
      shown.push(`${question}: ${answers.budget}`);
      if (shown.length === 1) return answer('a');
      return shown.length === 2 ? answer('7 USDC') : 'back';
    });
    assert.deepEqual(shown, [
      'name: 1 USDC',
      'budget: 1 USDC',
      'window: 7 USDC',
      'budget: 7 USDC',
      'name: 7 USDC',
    ]);
    assert.equal((await fill([answer('a'), undefined])).result, undefined);
  });

  it('refuses names that are taken or invalid, and amounts that are not numbers', () => {
    const wrong = (question: keyof BudgetAnswers, text: string) =>
      whatIsWrongWithBudget(question, text, ANSWERS, ['agent']);
    assert.equal(wrong('name', ' weather '), undefined);
    for (const name of ['agent', '', '../x', 'a b', '-x', 'a'.repeat(65)]) {
      assert.ok(wrong('name', name), name);
    }
    for (const amount of ['5', '5 USDC', '0.0000001 USDC']) {
      assert.equal(wrong('budget', amount), undefined, amount);
    }
    for (const amount of ['', '0', '5 XLM', '-1', '1e3', '0.00000001', 'USDC']) {
      assert.ok(wrong('budget', amount), amount);
    }
  });

  it('refuses a payment above the budget, and recipients that are not addresses', () => {
    const wrong = (question: keyof BudgetAnswers, text: string) =>
      whatIsWrongWithBudget(question, text, ANSWERS, []);
    assert.equal(wrong('perPayment', ''), undefined);
    assert.equal(wrong('perPayment', '5'), undefined);
    assert.match(wrong('perPayment', '5.01 USDC') ?? '', /more than the budget, 5 USDC/);
    assert.equal(wrong('recipients', `${account(1)}, ${account(2)}`), undefined);
    assert.match(wrong('recipients', `${account(1)} GABC`) ?? '', /GABC is not an address/);
    for (const count of ['', '1', '20', '4294967295']) {
      assert.equal(wrong('maxPayments', count), undefined, count);
    }
    for (const count of ['0', '-1', '1.5', '1e3', '4294967296', 'many']) {
      assert.ok(wrong('maxPayments', count), count);
    }
    const many = Array.from({ length: 21 }, (_, seed) => account(seed)).join(' ');
    assert.match(wrong('recipients', many) ?? '', /at most 20/);
  });

  it('becomes the arguments of the command line', () => {
    const recipients = `${account(1)},${account(2)} ${account(1)}`;
    assert.deepEqual(grantArguments({ ...ANSWERS, recipients }), [
      ...['agent', 'grant', '--json', '--name', 'weather', '--budget', '5'],
      ...['--window', 'week', '--expires', '7d', '--per-payment', '0.1'],
      ...['--recipient', account(1), account(2)],
    ]);
    const few = grantArguments({ ...ANSWERS, perPayment: '' });
    assert.ok(!few.includes('--per-payment') && !few.includes('--recipient'));
    assert.ok(!few.includes('--sliding') && !few.includes('--max-payments'));
    const more = grantArguments({ ...ANSWERS, window: 'sliding month', maxPayments: '20' });
    assert.equal(more[more.indexOf('--window') + 1], 'month');
    assert.deepEqual(more.slice(11, 14), ['--sliding', '--max-payments', '20']);
  });
});
