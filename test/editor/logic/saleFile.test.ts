import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { saleFile } from '../../../src/extension/portSale/saleFile.ts';
import { readConfig } from '../../../src/proxy/index.ts';

const TERMS = {
  upstream: 'http://127.0.0.1:3000',
  price: '0.01',
  payTo: 'GBZXN7PIRZGNMHGA7MUUUF4GWPY5AYPV6LY4UV2GL6VJGIQRXFDNMADI',
  facilitatorUrl: 'http://127.0.0.1:4021',
};

describe('the x402.yaml of a sale', () => {
  it('is read by the proxy as the same sale', () => {
    const read = readConfig(saleFile(TERMS, true));
    assert.ok(read.ok);
    const { upstream, payTo, otherwise, facilitator, routes } = read.config;
    assert.equal(upstream?.origin, TERMS.upstream);
    assert.equal(payTo, TERMS.payTo);
    assert.equal(facilitator, undefined);
    assert.deepEqual(routes, []);
    assert.ok(typeof otherwise === 'object');
    assert.deepEqual(otherwise.price, { kind: 'fixed', amount: 100_000n });
  });

  it('names the facilitator only if it is on another machine', () => {
    const read = readConfig(saleFile({ ...TERMS, facilitatorUrl: 'https://pay.example' }, false));
    assert.ok(read.ok);
    assert.equal(read.config.facilitator, 'https://pay.example');
  });
});
