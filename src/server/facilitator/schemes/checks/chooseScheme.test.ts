import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paymentRequest } from '../../../../../test/support/payment.ts';
import type { PaymentScheme } from '../../payment/index.ts';
import { chooseScheme } from './checkTerms.ts';

/** A scheme of which only the name matters here. */
const named = (name: string) => ({ name }) as PaymentScheme;
const EXACT = named('exact');
const UPTO = named('upto');

function requestFor(scheme: string) {
  const request = paymentRequest();
  return { ...request, paymentRequirements: { ...request.paymentRequirements, scheme } };
}

describe('The scheme that verifies a request', () => {
  it('is the one that its requirements name', () => {
    assert.equal(chooseScheme([EXACT, UPTO], requestFor('exact')), EXACT);
    assert.equal(chooseScheme([EXACT, UPTO], requestFor('upto')), UPTO);
  });

  it('is the first one if the named one is not served, so that it refuses in the canonical order', () => {
    assert.equal(chooseScheme([EXACT], requestFor('upto')), EXACT);
    assert.equal(chooseScheme([EXACT, UPTO], requestFor('deferred')), EXACT);
  });

  it('does not exist without any', () => {
    assert.throws(() => chooseScheme([], requestFor('exact')), /at least one scheme/);
  });
});
