import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describePayment, describeStep } from './demoAccount.ts';
import { parseDemoStep } from './demoStep.ts';

describe('the demo reads the output of the example programs', () => {
  it('a step is printed with its milliseconds', () => {
    const step = parseDemoStep('{"step":"fund","ms":12.6,"owner":"buyer","account":"GABC"}');
    assert.ok(step);
    assert.match(describeStep(step), /^ {2}buyer: a new account, funded by friendbot +13 ms$/);
  });

  it('a payment is three steps: asking, signing, paying', () => {
    const step = parseDemoStep(
      '{"step":"pay","ms":60,"status":200,"askMs":2,"signMs":40,"paidRequestMs":18}',
    );
    assert.ok(step);
    assert.deepEqual(describeStep(step).match(/\d+ ms/g), ['2 ms', '40 ms', '18 ms']);
  });

  it('a refused payment is not reported as settled', () => {
    const step = parseDemoStep(
      '{"step":"pay","ms":60,"status":402,"askMs":2,"signMs":40,"paidRequestMs":18}',
    );
    assert.ok(step);
    assert.match(describeStep(step), /seller: payment refused \(402\)/);
    assert.doesNotMatch(describeStep(step), /settled/);
  });

  it('other lines are ignored', () => {
    assert.equal(parseDemoStep('[x402] extension responses: {}'), undefined);
    assert.equal(parseDemoStep('{"step":"dance"}'), undefined);
  });

  it('the account has URL, price, payer, payTo, hash, ledger and balances', () => {
    const text = describePayment({
      seller: {
        step: 'listening',
        url: 'http://127.0.0.1:4022/w',
        payTo: 'GSELLER',
        price: '$0.01',
      },
      challenge: { step: 'challenge', ms: 1, amount: '100000', asset: 'CUSDC' },
      pay: { step: 'pay', ms: 1, status: 200, askMs: 1, signMs: 1, paidRequestMs: 1 },
      settled: { step: 'settled', status: 200, payer: 'GBUYER', transaction: 'ab', ledger: 9 },
      balances: {
        step: 'balances',
        before: {
          buyer: { xlm: '9990.0000000', usdc: '1.0000000' },
          seller: { xlm: '10000.0000000', usdc: '0.0000000' },
        },
        after: {
          buyer: { xlm: '9990.0000000', usdc: '0.9900000' },
          seller: { xlm: '10000.0000000', usdc: '0.0100000' },
        },
      },
    });
    for (const fact of [
      /URL +http:\/\/127\.0\.0\.1:4022\/w/,
      /price +0\.01 USDC/,
      /payer +GBUYER/,
      /payTo +GSELLER/,
      /hash +ab/,
      /ledger +9/,
      /buyer +1\.0000000 → 0\.9900000 USDC/,
      /seller +0\.0000000 → 0\.0100000 USDC/,
    ]) {
      assert.match(text, fact);
    }
  });
});
