import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paymentRequest } from '../../../../test/support/payment.ts';
import { judgeTerms } from './validate.ts';

describe('Terms are judged by what this facilitator settles', () => {
  const upto = { ...paymentRequest().paymentRequirements, scheme: 'upto' };

  it('a scheme that it does not settle fails, and the advice does not offer it', () => {
    const { rule } = judgeTerms([upto], ['exact']);
    assert.equal(rule.outcome, 'failed');
    assert.match(rule.detail ?? '', /scheme is "upto"/);
    assert.doesNotMatch(rule.mend ?? '', /upto/);
  });

  it('the same scheme passes where it does', () => {
    assert.equal(judgeTerms([upto], ['exact', 'upto']).rule.outcome, 'passed');
  });
});
