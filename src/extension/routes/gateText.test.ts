import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { facilitatorsInCode, payToInCode, priceInCode } from './gateText.ts';

const ADDRESS = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
const gated = `// svc-x402: payments
const PAYMENT_CONFIG = { payToAddress: '${ADDRESS}' };
const routes = {
  'GET /weather/:city': { accepts: { price: '$0.02' } },
  'POST /quote': { accepts: { price: '$0.5' } },
};`;

describe('the terms in generated code', () => {
  it('the address and its position, only in files that Svc has changed', () => {
    const [found, ...others] = payToInCode(gated);
    assert.equal(others.length, 0);
    assert.equal(found?.address, ADDRESS);
    assert.equal(gated.slice(found?.start, (found?.start ?? 0) + 56), ADDRESS);
    assert.deepEqual(payToInCode(gated.replace('svc-x402: payments', '')), []);
  });

  it('the facilitator that is used if the environment names none', () => {
    const asks = (from: string) =>
      `${gated}\nconst c = new HTTPFacilitatorClient({ url: ${from} ?? 'http://127.0.0.1:4021' });`;
    for (const from of ['process.env.FACILITATOR_URL', "process.env['FACILITATOR_URL']"]) {
      const text = asks(from);
      const [found, ...others] = facilitatorsInCode(text);
      assert.equal(others.length, 0);
      assert.equal(found?.url, 'http://127.0.0.1:4021');
      assert.equal(text.slice(found?.start, (found?.start ?? 0) + 21), 'http://127.0.0.1:4021');
    }
    assert.deepEqual(facilitatorsInCode(gated), []);
    assert.deepEqual(facilitatorsInCode("process.env.FACILITATOR_URL ?? 'http://x.test'"), []);
  });

  it('the price of each route', () => {
    assert.equal(priceInCode(gated, 'GET', '/weather/:city'), '0.02');
    assert.equal(priceInCode(gated, 'POST', '/quote'), '0.5');
    assert.equal(priceInCode('app.get("/x")', 'GET', '/x'), undefined);
  });
});
