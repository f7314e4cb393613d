import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { USDC_CONTRACT } from '../../protocol/index.ts';
import { readEndpoints } from './endpoint.ts';
import { timeAgo } from './timeAgo.ts';

const option = {
  scheme: 'exact',
  network: 'stellar:testnet',
  asset: USDC_CONTRACT,
  amount: '100000',
  payTo: 'G',
};
const list = (entry: object) =>
  readEndpoints({
    items: [{ resource: 'http://h/w', accepts: [option], ...entry }],
    pagination: { total: 1 },
  })?.endpoints[0];

describe('an endpoint of the catalog', () => {
  it('[spec: Editor sidebar/My Endpoints] has a price in its unit', () => {
    assert.equal(list({})?.price, '0.01 USDC');
    assert.equal(list({ accepts: [{ ...option, scheme: 'upto' }] })?.price, 'up to 0.01 USDC');
    assert.equal(list({ accepts: [{ ...option, asset: 'CABCDEF' }] })?.price, '0.01 of CABCDE…');
    assert.equal(list({ accepts: [] })?.price, 'no price');
  });

  it('is tested under the example values of its declaration', () => {
    const input = {
      method: 'POST',
      pathParams: { city: 'São Paulo' },
      queryParams: { units: 'metric' },
      body: { a: 1 },
    };
    const endpoint = list({
      resource: 'http://h/w/:city',
      extensions: { bazaar: { info: { input } } },
    });
    assert.equal(endpoint?.exampleUrl, 'http://h/w/S%C3%A3o%20Paulo?units=metric');
    assert.equal(endpoint?.method, 'POST');
    assert.equal(endpoint?.exampleBody, '{"a":1}');
  });

  it('does not exist if the answer is not a list', () => {
    assert.equal(readEndpoints({ hello: 1 }), undefined);
    assert.equal(readEndpoints(undefined), undefined);
  });

  it('shows roughly how long ago it was settled', () => {
    const now = Date.parse('2026-01-02T12:00:00Z');
    const ago = (ms: number) => timeAgo(new Date(now - ms), now);
    assert.equal(ago(59_000), 'just now');
    assert.equal(ago(61_000), '1 min ago');
    assert.equal(ago(3 * 3_600_000), '3 h ago');
    assert.equal(ago(26 * 3_600_000), 'yesterday');
    assert.equal(ago(100 * 3_600_000), '4 days ago');
    assert.equal(ago(-5_000), 'just now');
  });
});
