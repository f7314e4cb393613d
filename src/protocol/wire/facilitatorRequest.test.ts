import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paymentRequest } from '../../../test/support/payment.ts';
import { parseFacilitatorRequest } from './facilitatorRequest.ts';

const code = (body: unknown) => {
  const parsed = parseFacilitatorRequest(body);
  return parsed.ok ? 'ok' : parsed.code;
};

describe('The body of /verify and /settle', () => {
  const good = paymentRequest();

  it('[spec: POST /verify and POST /settle/Body] is read as the canonical client sends it', () => {
    const parsed = parseFacilitatorRequest(JSON.parse(JSON.stringify(good)));
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.request, good);
  });

  it('keeps the extensions and the resource that the buyer echoes', () => {
    const paymentPayload = {
      ...good.paymentPayload,
      extensions: { bazaar: { info: {} }, other: 1 },
      resource: { url: 'http://127.0.0.1/x' },
    };
    const parsed = parseFacilitatorRequest({ ...good, paymentPayload });
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.request.paymentPayload.extensions, paymentPayload.extensions);
    assert.deepEqual(parsed.request.paymentPayload.resource, paymentPayload.resource);
  });

  it('[spec: paymentRequirements/Fields] is refused with the code of its invalid member', () => {
    for (const body of [{}, null, [], 'x', 5, { paymentPayload: {} }]) {
      assert.equal(code(body), 'invalid_request');
    }
    assert.equal(code({ ...good, paymentPayload: 5 }), 'invalid_payload');
    assert.equal(code({ ...good, paymentPayload: {} }), 'invalid_payload');
    const requirements = { ...good.paymentRequirements, amount: 5 };
    assert.equal(
      code({ ...good, paymentRequirements: requirements }),
      'invalid_payment_requirements',
    );
    assert.equal(code({ ...good, x402Version: '2' }), 'invalid_request');
  });

  it('M10: accepts any time above zero, as x402 does', () => {
    for (const maxTimeoutSeconds of [0.5, 86_400, 86_401, 172_800, 1e12]) {
      const paymentRequirements = { ...good.paymentRequirements, maxTimeoutSeconds };
      assert.ok(parseFacilitatorRequest({ ...good, paymentRequirements }).ok);
    }
    for (const maxTimeoutSeconds of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const paymentRequirements = { ...good.paymentRequirements, maxTimeoutSeconds };
      assert.equal(code({ ...good, paymentRequirements }), 'invalid_payment_requirements');
    }
  });
});
