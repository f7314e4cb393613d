import assert from 'node:assert/strict';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { type Manifest, manifestSchema } from '../../src/server/http/wellKnown/index.ts';
import { openTestCatalog, type TestCatalog } from '../support/catalog.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { testKey } from '../support/payer.ts';

/** Asks under another name, as a reader behind a proxy does. */
async function manifestAs(url: string, host: string): Promise<Manifest> {
  const body = await new Promise<string>((resolve, reject) => {
    get(`${url}/.well-known/x402`, { headers: { host } }, (response) => {
      text(response).then(resolve, reject);
    }).on('error', reject);
  });
  return manifestSchema.strict().parse(JSON.parse(body));
}

describe('GET /.well-known/x402 (draft-hawkins-x402-dns-discovery-02)', () => {
  describe('of a service', () => {
    let stack: LocalStack;
    before(async () => {
      stack = await startLocalStack();
    });
    after(() => stack.close());

    it('names the facilitator under the requested address, with the kinds of /supported', async () => {
      const { url } = stack.facilitator;
      const response = await fetch(`${url}/.well-known/x402`);
      assert.equal(response.status, 200);
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
      assert.equal(response.headers.get('access-control-allow-origin'), '*');
      const { x402Version, kind, facilitator, resources } = manifestSchema.parse(
        await response.json(),
      );
      assert.equal(x402Version, 2);
      assert.equal(kind, 'facilitator');
      assert.equal(facilitator.baseUrl, url);
      const supported = await fetch(`${url}${facilitator.endpoints.supported}`);
      const { kinds } = (await supported.json()) as { kinds: object[] };
      assert.deepEqual(facilitator.kinds, kinds);
      assert.ok(kinds.length > 0);
      assert.deepEqual(resources, []);
      for (const path of [facilitator.endpoints.discovery, '/catalog']) {
        assert.equal((await fetch(`${url}${path}`)).status, 200, path);
      }
    });

    it('accepts no other method', async () => {
      const response = await fetch(`${stack.facilitator.url}/.well-known/x402`, { method: 'PUT' });
      assert.equal(response.status, 405);
    });
  });

  describe('what is listed', () => {
    let at: TestCatalog;
    before(async () => {
      at = await openTestCatalog();
      const pay = (url: string, more: object = {}) => at.settle({ url, ...more });
      await pay('https://pay.example/report', { resource: { description: 'A report' } });
      await pay('https://api.pay.example/quote');
      await pay('https://notpay.example/quote', { payTo: testKey('not').address });
      await pay('https://other.dev/?at=pay.example', { payTo: testKey('other').address });
      await pay('https://pay.example/mcp', { tool: 'translate' });
      await at.catalog.idle();
    });
    after(() => at.close());

    it('is named if it is on this host or a subdomain, but no entry of another host', async () => {
      const { facilitator, resources } = await manifestAs(at.url, 'pay.example');
      assert.equal(facilitator.baseUrl, 'https://pay.example');
      assert.deepEqual(resources.map(({ url }) => url).sort(), [
        'https://api.pay.example/quote',
        'https://pay.example/report',
      ]);
      const report = resources.find(({ url }) => url.endsWith('/report'));
      assert.equal(report?.description, 'A report');
      assert.deepEqual((await manifestAs(at.url, 'nobody.example')).resources, []);
    });

    it('has no prices, which would be a copy: only pointers', async () => {
      const { resources } = await manifestAs(at.url, 'pay.example');
      for (const resource of resources) {
        assert.deepEqual(
          Object.keys(resource).filter((name) => !['url', 'method', 'description'].includes(name)),
          [],
        );
      }
    });
  });
});
