import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type SummarizedLimit, summaryOfLimit } from './limitSummary.ts';

const LIMIT: SummarizedLimit = {
  asset: null,
  amount: 100_000_000n,
  decimals: 7,
  window: 86_400n,
  sliding: false,
  maxPayments: null,
  perPayment: null,
  recipients: null,
};

describe('The summary of a spending limit', () => {
  const title = (change: Partial<SummarizedLimit>) => summaryOfLimit({ ...LIMIT, ...change }).title;
  const all = (change: Partial<SummarizedLimit>) => {
    const { prevents, doesNotPrevent, warnings } = summaryOfLimit({ ...LIMIT, ...change });
    return [...prevents, ...doesNotPrevent, ...warnings].join('\n');
  };

  it('says amount, asset, window and number of payments in its title', () => {
    assert.equal(title({}), 'At most 10 XLM in 24 hours');
    assert.equal(title({ sliding: true }), 'At most 10 XLM in any 24 hours');
    assert.equal(title({ maxPayments: 5 }), 'At most 10 XLM in 24 hours, in at most 5 payments');
    assert.equal(title({ maxPayments: 1 }), 'At most 10 XLM in 24 hours, in at most 1 payment');
    assert.equal(title({ window: 604_800n }), 'At most 10 XLM in 7 days');
    assert.equal(title({ window: 2_592_000n, sliding: true }), 'At most 10 XLM in any 30 days');
    // An owner can change it to any window.
    assert.equal(title({ window: 90n }), 'At most 10 XLM in 90 seconds');
    assert.equal(title({ window: 3_600n }), 'At most 10 XLM in 1 hour');
  });

  it('claims no more of a fixed window than is true: twice the cap around its end', () => {
    assert.match(all({}), /within one window.*up to 20 XLM can be spent in a short time/s);
  });

  it('states the guarantee of a sliding window, and for how long a payment counts', () => {
    assert.doesNotMatch(all({ sliding: true }), /20 XLM|fixed/);
    assert.match(all({ sliding: true }), /more than 10 XLM within any 24 hours/);
    assert.match(all({ sliding: true }), /counts for 24 hours, and up to 2 hours longer/);
    const week = all({ sliding: true, window: 604_800n });
    assert.match(week, /counts for 7 days, and up to 14 hours longer/);
  });

  it('names the maximum number of payments, the maximum for one payment, the recipients, and that owners can change limits', () => {
    const words = all({ maxPayments: 5, perPayment: 5_000_000n, recipients: ['GABC'] });
    assert.match(words, /Making more than 5 payments within one window/);
    assert.match(words, /more than 0\.5 of it in one payment/);
    assert.match(words, /anyone except GABC/);
    assert.match(words, /under upto counts as one payment/);
    assert.match(words, /An owner of the account can change its limits/);
    assert.doesNotMatch(all({}), /payments within|counts as one payment/);
  });
});
