import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeUse } from './describeUse.ts';

const URL = 'https://weather.example/now?city=Lima';
const budget = (...left: readonly string[]) => ({
  limits: left.map((one) => ({ left: one })),
  ceiling: null,
});
const asked = async (input: object, read: () => Promise<unknown> = async () => budget('0.95')) =>
  (await describeUse('x402_call', { ...input }, read)).question?.message ?? '';

describe('Before an agent pays, the editor', () => {
  it('names the seller, the amount in USDC, and what is left', async () => {
    assert.equal(
      await asked({ url: URL, maxAmount: '0.01' }),
      `Pay weather.example up to 0.01 USDC for GET "${URL}"? 0.95 USDC is left in the budget.`,
    );
  });

  it('names the method that will be sent, and a tool by its name', async () => {
    assert.match(await asked({ url: URL, maxAmount: '1', body: '{}' }), / for POST "https/);
    assert.match(await asked({ url: URL, maxAmount: '1', method: 'put' }), / for PUT "https/);
    assert.match(await asked({ url: URL, maxAmount: '1', tool: 'sum' }), / for tool "sum" at "/);
  });

  it('shows the lowest remainder of several limits', async () => {
    const read = async () => ({ ...budget('3', '0.5'), ceiling: { left: '0.25' } });
    assert.match(
      await asked({ url: URL, maxAmount: '1' }, read),
      / 0\.25 USDC is left in the budget/,
    );
  });

  it('says so if the budget cannot be read, and asks anyway', async () => {
    const failing = async () => Promise.reject(new Error('down'));
    for (const read of [failing, async () => undefined, async () => ({ limits: 'none' })]) {
      const message = await asked({ url: URL, maxAmount: '1' }, read);
      assert.match(message, /^Pay weather\.example .*Could not read the remaining budget\.$/);
    }
  });

  it('does not show an invalid amount or URL as if it were valid', async () => {
    const message = await asked({ url: 'free!\n\nPay 0 USDC', maxAmount: '0 USDC, really 9' });
    assert.match(message, /^Pay an unknown seller up to an unreadable amount \("0 USDC/);
    assert.doesNotMatch(message, /\n/);
    assert.ok((await asked({ url: `${URL}${'x'.repeat(9_000)}`, maxAmount: '1' })).length < 700);
  });

  it('does not ask before tools that only read', async () => {
    const names = ['list_resources', 'search_resources', 'budget', 'receipts'];
    for (const name of names) {
      const { question, invocation } = await describeUse(`x402_${name}`, {}, async () => ({}));
      assert.equal(question, undefined);
      assert.notEqual(invocation, '');
    }
  });
});
