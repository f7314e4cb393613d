import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paymentRequest } from '../../../test/support/payment.ts';
import { decodeHeaderMessage, encodeHeaderMessage } from '../headers.ts';
import { paymentRequiredSchema } from './paymentRequired.ts';

describe('[spec: What the service does/2.2] The terms in the PAYMENT-REQUIRED header', () => {
  const terms = {
    x402Version: 2,
    error: 'Payment required',
    resource: { url: 'http://127.0.0.1:4022/weather', description: '', mimeType: '' },
    accepts: [paymentRequest().paymentRequirements],
    extensions: { bazaar: { info: {}, schema: {} } },
  };

  it('are read back from base64 as the seller wrote them', () => {
    const read = paymentRequiredSchema.parse(decodeHeaderMessage(encodeHeaderMessage(terms)));
    assert.deepEqual(read, terms);
  });

  it('name at least what is accepted', () => {
    const { accepts: _, ...rest } = terms;
    assert.equal(paymentRequiredSchema.safeParse(rest).success, false);
    assert.equal(paymentRequiredSchema.safeParse({ x402Version: 2, accepts: [{}] }).success, false);
  });
});
