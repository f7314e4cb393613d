import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { encodeHeaderMessage } from '../../src/protocol/index.ts';
import {
  type DiscoveryFacets,
  type DiscoveryMerchant,
  type DiscoveryValidation,
  discoveryFacetsSchema,
  discoveryMerchantSchema,
  discoveryValidationSchema,
} from '../../src/protocol/wire/index.ts';
import { enginesWithoutFiles } from '../store/engines.ts';
import { openTestCatalog, type TestCatalog } from '../support/catalog.ts';
import { catalogPayment } from '../support/catalogPayment.ts';
import { testKey } from '../support/payer.ts';
import { OTHER_ASSET, USDC } from '../support/payment.ts';
import { startTlsSeller, type TlsSeller } from '../support/tlsSeller.ts';

const SELLER = testKey('seller').address;
const OTHER = testKey('other').address;

for (const engine of enginesWithoutFiles()) {
  describe(`The catalog’s routes besides list and search, over ${engine.name}`, {
    skip: engine.missing ?? false,
  }, () => {
    let at: TestCatalog;
    before(async () => {
      await engine.begin();
      at = await openTestCatalog({ database: (await engine.open()).database });
      await at.settle({
        url: 'https://a.dev/1',
        amount: '100',
        resource: { serviceName: '<b>One</b>', description: '<img src=x onerror=alert(1)>' },
      });
      at.clock.advance(1_000);
      await at.settle({ url: 'https://a.dev/2', amount: '90' });
      await at.settle({
        url: 'https://b.dev/x/y',
        bazaar: { routeTemplate: '/x/:y' },
        payTo: OTHER,
        asset: OTHER_ASSET,
        amount: '7',
      });
      await at.settle({ url: 'https://b.dev/mcp', tool: 'add', payTo: OTHER });
      await at.catalog.idle();
    });
    after(async () => {
      await at.close();
      await engine.end();
    });

    it('GET /discovery/merchant: the resources of a recipient', async () => {
      const { status, body } = await at.get<DiscoveryMerchant>(
        `/discovery/merchant?payTo=${OTHER.toLowerCase()}&type=http`,
      );
      assert.equal(status, 200);
      assert.deepEqual(discoveryMerchantSchema.parse(body), body);
      assert.equal(body.payTo, OTHER);
      assert.deepEqual(
        body.resources.map(({ resource }) => resource),
        ['https://b.dev/x/:y'],
      );
      const missing = await at.get('/discovery/merchant');
      assert.deepEqual([missing.status, missing.body['error']], [400, 'invalid_parameter']);
    });

    it('GET /discovery/facets: counts by type, scheme, network and asset, with the prices of each asset', async () => {
      const { body } = await at.get<DiscoveryFacets>('/discovery/facets');
      assert.deepEqual(discoveryFacetsSchema.parse(body), body);
      assert.equal(body.total, 4);
      assert.deepEqual(body.type, [
        { value: 'http', count: 3 },
        { value: 'mcp', count: 1 },
      ]);
      assert.deepEqual(body.scheme, [{ value: 'exact', count: 4 }]);
      assert.deepEqual(body.asset, [
        { value: USDC, count: 3, minAmount: '90', maxAmount: '100000' },
        { value: OTHER_ASSET, count: 1, minAmount: '7', maxAmount: '7' },
      ]);
      const filtered = await at.get<DiscoveryFacets>(
        `/discovery/facets?payTo=${SELLER}&colour=red`,
      );
      assert.equal(filtered.body.total, 2);
      assert.deepEqual(filtered.body.unappliedFilters, ['colour']);
    });

    it('GET /discovery/feed.json: the newest first, as JSON Feed, texts as text', async () => {
      const response = await fetch(`${at.url}/discovery/feed.json`);
      assert.equal(response.headers.get('content-type'), 'application/feed+json');
      const body = (await response.json()) as { version: string; items: Record<string, unknown>[] };
      assert.equal(body.version, 'https://jsonfeed.org/version/1.1');
      assert.deepEqual(
        body.items.map(({ id }) => id),
        ['https://b.dev/mcp#add', 'https://b.dev/x/:y', 'https://a.dev/2', 'https://a.dev/1'],
      );
      const last = body.items.at(-1);
      assert.equal(last?.['content_text'], '<img src=x onerror=alert(1)>');
      assert.equal('content_html' in (last ?? {}), false);
      // A URL template cannot be fetched.
      assert.equal('url' in (body.items[1] ?? {}), false);
    });
  });
}

describe('POST /discovery/validate: why am I not listed?', () => {
  let at: TestCatalog;
  let seller: TlsSeller;
  let challenge: object = {};
  let status = 402;
  /** Overrides of the status by method, and of the headers. */
  let statusOf: ((method: string) => number) | undefined;
  let sent: Readonly<Record<string, string>> | undefined;
  before(async () => {
    seller = await startTlsSeller(({ method = '' }, response) => {
      const headers = sent ?? { 'payment-required': encodeHeaderMessage(challenge) };
      response.writeHead(statusOf?.(method) ?? status, headers).end();
    });
    at = await openTestCatalog({ ownershipFetch: seller.fetch });
  });
  after(async () => {
    await at.close();
    await seller.close();
  });

  async function ask(body: unknown): Promise<DiscoveryValidation> {
    const answer = await at.post<DiscoveryValidation>('/discovery/validate', body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(discoveryValidationSchema.parse(answer.body), answer.body);
    return answer.body;
  }
  const outcomes = ({ rules }: DiscoveryValidation, outcome: string): string[] =>
    rules.filter((rule) => rule.outcome === outcome).map(({ rule }) => rule);
  const terms = (changed: object = {}): object => ({
    ...catalogPayment({ payTo: SELLER }).option,
    ...changed,
  });
  const words = { serviceName: 'Quotes', description: 'Quotes', tags: ['quotes'] };
  const right = () => {
    const { declared } = catalogPayment({ url: 'https://seller.dev/quote', resource: words });
    return { ...declared, payTo: SELLER };
  };

  it('a valid declaration passes each rule; only the missing payment is reported', async () => {
    const validation = await ask(right());
    assert.equal(validation.wouldBeListed, true);
    assert.equal(validation.resource, 'https://seller.dev/quote');
    assert.deepEqual(outcomes(validation, 'failed'), []);
    assert.deepEqual(outcomes(validation, 'warning'), ['settled']);
    assert.equal('listed' in validation, false);
  });

  it('each rule that fails is reported with its reason and a fix; the rules after it are not judged', async () => {
    const { extensions, ...rest } = right();
    const cases: [string, string, object][] = [
      ['extension', 'no_discovery_extension', { ...rest, extensions: {} }],
      ['resource', 'schema_validation_failed', { ...right(), resource: { url: '/quote' } }],
      [
        'info',
        'schema_validation_failed',
        { ...rest, extensions: { bazaar: { info: { input: {} } } } },
      ],
      [
        'route_template',
        'schema_validation_failed',
        {
          ...rest,
          extensions: {
            bazaar: { ...(extensions as { bazaar: object }).bazaar, routeTemplate: '/../x' },
          },
        },
      ],
      [
        'schema',
        'schema_validation_failed',
        {
          ...rest,
          extensions: {
            bazaar: { ...(extensions as { bazaar: object }).bazaar, schema: undefined },
          },
        },
      ],
      [
        'tool_name',
        'invalid_tool_name',
        { ...rest, extensions: { bazaar: { info: { input: { type: 'mcp', toolName: '' } } } } },
      ],
      ['pay_to', 'invalid_payto', { ...right(), payTo: 'M…' }],
    ];
    for (const [rule, reason, body] of cases) {
      const validation = await ask(body);
      assert.equal(validation.wouldBeListed, false);
      const failed = validation.rules.filter(({ outcome }) => outcome === 'failed');
      assert.deepEqual(
        failed.map((one) => [one.rule, one.reason]),
        [[rule, reason]],
      );
      assert.ok((failed[0]?.mend ?? '').length > 20);
    }
  });

  it('texts and templates that are left out are warnings', async () => {
    const { resource, ...rest } = right();
    const validation = await ask({
      ...rest,
      resource: {
        ...(resource as object),
        serviceName: 'Café',
        tags: ['ok', 'é'],
        description: 'x'.repeat(300),
      },
    });
    assert.deepEqual(outcomes(validation, 'warning'), [
      'service_name',
      'description',
      'tags',
      'settled',
    ]);
    assert.equal(validation.wouldBeListed, true);
  });

  it('a URL that belongs to another recipient is reported as such, whatever the refusal', async () => {
    await at.settle({ url: 'https://taken.dev/quote', payTo: OTHER });
    const { declared } = catalogPayment({ url: 'https://taken.dev/quote/' });
    const validation = await ask({ ...declared, payTo: SELLER });
    const [failed] = validation.rules.filter(({ outcome }) => outcome === 'failed');
    assert.deepEqual([failed?.rule, failed?.reason], ['binding', 'binding_refused']);
    assert.equal(validation.listed?.accepts[0]?.payTo, OTHER);
    const own = await ask({ ...declared, payTo: OTHER });
    assert.equal(own.wouldBeListed, true);
    assert.ok(outcomes(own, 'passed').includes('settled'));
  });

  it('a URL’s challenge is requested and its content checked', async () => {
    const { resource, extensions } = right();
    challenge = { x402Version: 2, accepts: [terms()], resource, extensions };
    const validation = await ask({ url: 'https://seller.dev/quote' });
    assert.equal(validation.rules[0]?.rule, 'challenge');
    assert.equal(validation.wouldBeListed, true);
    challenge = { x402Version: 2, accepts: [terms()], resource };
    assert.deepEqual(outcomes(await ask({ url: 'https://seller.dev/quote' }), 'failed'), [
      'extension',
    ]);
    status = 200;
    const free = await ask({ url: 'https://seller.dev/quote' });
    assert.deepEqual(
      free.rules.map(({ rule, detail }) => [rule, detail]),
      [['challenge', 'not_402: GET was answered with 200']],
    );
  });

  it('terms that cannot settle here do not get a resource listed, and the reason names them', async () => {
    const { resource, extensions } = right();
    status = 402;
    const cases: readonly (readonly [received: RegExp, accepts: readonly unknown[]])[] = [
      [/empty list/, []],
      [/eip155:8453/, [terms({ network: 'eip155:8453' })]],
      [/stellar:pubnet/, [terms({ network: 'stellar:pubnet' })]],
      [/amount is "-5"/, [terms({ amount: '-5' })]],
      [/amount is "0"/, [terms({ amount: '0' })]],
      [/amount is "0.01"/, [terms({ amount: '0.01' })]],
      [/payTo is "GABC"/, [terms({ payTo: 'GABC' })]],
      [/asset is "USDC"/, [terms({ asset: 'USDC' })]],
      [/scheme is "deferred"/, [terms({ scheme: 'deferred' })]],
      [/amount is missing/, [terms({ amount: 5 })]],
      [/it is 7/, [7]],
    ];
    for (const [received, accepts] of cases) {
      challenge = { x402Version: 2, accepts, resource, extensions };
      for (const body of [{ url: 'https://seller.dev/quote' }, { ...right(), accepts }]) {
        const validation = await ask(body);
        assert.equal(validation.wouldBeListed, false, String(received));
        const failed = validation.rules.filter(({ outcome }) => outcome === 'failed');
        assert.deepEqual(
          failed.map(({ rule }) => rule),
          ['terms'],
        );
        assert.match(failed[0]?.detail ?? '', received);
      }
    }
    challenge = {
      ...{ x402Version: 2, resource, extensions },
      accepts: [terms({ network: 'eip155:8453' }), terms()],
    };
    assert.equal((await ask({ url: 'https://seller.dev/quote' })).wouldBeListed, true);
  });

  it('a route with another method than GET is asked with its method', async () => {
    const { resource, extensions } = right();
    challenge = { x402Version: 2, accepts: [terms()], resource, extensions };
    for (const refusal of [404, 405]) {
      statusOf = (method) => (method === 'POST' ? 402 : refusal);
      assert.equal((await ask({ url: 'https://seller.dev/quote' })).wouldBeListed, true);
      statusOf = (method) => (method === 'PUT' ? 402 : refusal);
      const put = { url: 'https://seller.dev/quote', method: 'PUT' };
      assert.equal((await ask(put)).wouldBeListed, true);
      const asked = await ask({ url: 'https://seller.dev/quote' });
      assert.equal(asked.wouldBeListed, false);
      assert.equal(
        asked.rules[0]?.detail,
        `not_402: GET was answered with ${refusal}, and POST was answered with ${refusal}`,
      );
    }
    const before = seller.requests.length;
    statusOf = () => 200;
    await ask({ url: 'https://seller.dev/quote' });
    assert.equal(seller.requests.length, before + 1, 'a free GET is not repeated as POST');
    statusOf = () => 402;
  });

  it('a header that arrived and cannot be read is not called missing', async () => {
    for (const header of ['%%%', 'bm90IGpzb24=', 'W10=', 'e30=']) {
      sent = { 'payment-required': header };
      const [rule] = (await ask({ url: 'https://seller.dev/quote' })).rules;
      assert.match(rule?.detail ?? '', /^unreadable_challenge: /, header);
      assert.match(rule?.mend ?? '', /^The PAYMENT-REQUIRED header arrived/);
    }
    sent = {};
    const [rule] = (await ask({ url: 'https://seller.dev/quote' })).rules;
    assert.match(rule?.detail ?? '', /^no_challenge: a 402 without/);
    sent = undefined;
  });

  it('an internal URL is refused, as by the ownership check', async () => {
    const before = seller.dialled.length;
    for (const url of [
      'http://127.0.0.1:1/',
      'https://169.254.169.254/latest/',
      'https://[::1]/',
      'x',
    ]) {
      const validation = await ask({ url });
      assert.deepEqual(
        [validation.wouldBeListed, validation.rules[0]?.detail],
        [false, 'url_not_permitted'],
        url,
      );
    }
    assert.equal(seller.dialled.length, before);
  });

  it('a body with neither is a 400', async () => {
    for (const body of [
      {},
      [],
      7,
      null,
      { url: 7 },
      { extensions: 'x' },
      { url: 'x'.repeat(3_000) },
    ]) {
      const answer = await at.post('/discovery/validate', body);
      assert.deepEqual(
        [answer.status, answer.body['error']],
        [400, 'invalid_declaration'],
        JSON.stringify(body),
      );
    }
    const large = await at.post('/discovery/validate', { extensions: { x: 'y'.repeat(40_000) } });
    assert.deepEqual([large.status, large.body['error']], [413, 'body_too_large']);
  });
});
