import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { encodeHeaderMessage } from '../../src/protocol/index.ts';
import {
  chargeRequest,
  encodeJson,
  type MppChallenge,
  writeChallenge,
} from '../../src/protocol/mpp/index.ts';
import type {
  DiscoveryFacets,
  DiscoveryList,
  DiscoverySearch,
  DiscoveryValidation,
} from '../../src/protocol/wire/index.ts';
import { OWNERSHIP_COOLDOWN_MS } from '../../src/server/catalog/ownership/cooldown.ts';
import { migrate } from '../../src/server/store/migrate.ts';
import { MIGRATIONS } from '../../src/server/store/migrations/index.ts';
import { enginesWithoutFiles } from '../store/engines.ts';
import { openTestCatalog, type TestCatalog } from '../support/catalog.ts';
import { catalogPayment } from '../support/catalogPayment.ts';
import { testKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';
import { challengeFor, startTlsSeller, type TlsSeller } from '../support/tlsSeller.ts';

const SELLER = testKey('seller').address;
const OTHER = testKey('other').address;
const URL_A = 'https://seller.dev/quote';
const NETWORK = 'stellar:testnet';

/** The time of a test catalog's clock at its start. */
const NOW = Date.UTC(2026, 10, 21);
const LATER = new Date(NOW + 86_400_000).toISOString();

const TERMS = { amount: 100_000n, asset: USDC, payTo: SELLER as string, network: NETWORK };

function charge({
  payTo = SELLER as string,
  ...change
}: Partial<MppChallenge> & { payTo?: string } = {}) {
  return writeChallenge({
    id: 'A'.repeat(43),
    realm: 'seller.dev',
    method: 'stellar',
    intent: 'charge',
    request: chargeRequest({ ...TERMS, payTo }),
    expires: LATER,
    opaque: encodeJson({ resource: 'GET /quote' }),
    ...change,
  });
}

/** The request of a charge with other members than ours has. */
const requestWith = (change: object, details: object = {}): string =>
  encodeJson({
    ...{ amount: '100000', currency: USDC, recipient: SELLER },
    methodDetails: { network: NETWORK, feePayer: true, ...details },
    ...change,
  });

type Sent = Readonly<Record<string, string | readonly string[]>>;
const X402 = { 'payment-required': challengeFor(SELLER) };

/** A seller whose headers a test sets. */
async function startSeller() {
  let sent: Sent = {};
  const seller = await startTlsSeller((_, response) => {
    response.writeHead(402, sent as Record<string, string | string[]>).end();
  });
  return {
    seller,
    send(headers: Sent) {
      sent = headers;
    },
  };
}

for (const engine of enginesWithoutFiles()) {
  describe(`A listing names the protocols that the check of its owner saw: ${engine.name}`, {
    skip: engine.missing ?? false,
  }, () => {
    let seller: TlsSeller;
    let send: (headers: Sent) => void;
    let at: TestCatalog;
    before(async () => {
      await engine.begin();
      ({ seller, send } = await startSeller());
    });
    after(async () => {
      await seller.close();
      await engine.end();
    });
    beforeEach(async () => {
      send(X402);
      const { database } = await engine.open();
      at = await openTestCatalog({ database, ownershipFetch: seller.fetch });
    });

    afterEach(() => at.close());

    async function trust(): Promise<DiscoveryList['items'][number]['trust']> {
      await at.catalog.idle();
      const { body } = await at.get<DiscoveryList>('/discovery/resources');
      return body.items[0]?.trust ?? assert.fail('nothing is listed');
    }
    /** Settles, and returns what was seen and whether the owner was verified. */
    async function seenAfter(headers: Sent): Promise<readonly unknown[]> {
      send(headers);
      assert.equal(await at.settle({ url: URL_A }), 'cataloged');
      const { protocols, ownerVerified } = await trust();
      at.clock.advance(OWNERSHIP_COOLDOWN_MS);
      return [protocols, ownerVerified];
    }

    it('x402, MPP, or both, as the headers of its 402 ask', async () => {
      const both = { ...X402, 'www-authenticate': charge() };
      assert.deepEqual(await seenAfter(X402), [['x402'], true]);
      assert.deepEqual(await seenAfter(both), [['x402', 'mpp'], true]);
      const mpp = ['Bearer realm="api"', charge({ method: 'tempo' }), charge()];
      assert.deepEqual(await seenAfter({ 'www-authenticate': mpp }), [['mpp'], true]);
    });

    it('no protocol whose challenge names another recipient, or that cannot be paid and settle here', async () => {
      const others: Readonly<Record<string, string>> = {
        'another recipient': charge({ payTo: OTHER }),
        'another method': charge({ method: 'tempo' }),
        'another intent': charge({ intent: 'channel' }),
        'another network': charge({ request: requestWith({}, { network: 'stellar:pubnet' }) }),
        'the buyer pays the fee': charge({ request: requestWith({}, { feePayer: false }) }),
        'a hash alone': charge({ request: requestWith({}, { credentialTypes: ['hash'] }) }),
        'an amount of nothing': charge({ request: requestWith({ amount: '0' }) }),
        'a currency that is not a contract': charge({ request: requestWith({ currency: 'USDC' }) }),
        'it has expired': charge({ expires: new Date(NOW - 1).toISOString() }),
        'its expiry is not a time': charge({ expires: 'soon' }),
        'the same member twice': `${charge()}, id="x"`,
        'it cannot be read': 'Payment id="x"',
        'another scheme': charge().replace('Payment', 'Payments'),
      };
      for (const [why, header] of Object.entries(others)) {
        const seen = await seenAfter({ ...X402, 'www-authenticate': header });
        assert.deepEqual(seen, [['x402'], true], why);
        const alone = await seenAfter({ 'www-authenticate': header });
        assert.deepEqual(alone, [undefined, false], why);
      }
      const x402 = { 'payment-required': challengeFor(OTHER), 'www-authenticate': charge() };
      assert.deepEqual(await seenAfter(x402), [['mpp'], true]);
    });

    it('none that the seller or a buyer only declares, and none before a check', async () => {
      const declared = { protocols: ['mpp'], trust: { protocols: ['mpp'] } };
      send({});
      await at.settle({ url: URL_A, resource: declared, extensions: declared });
      assert.equal('protocols' in (await trust()), false);
      await at.settle({ url: `${URL_A}/b`, bazaar: { routeTemplate: '/quote/:b' } });
      await at.catalog.idle();
      const { body } = await at.get<DiscoveryList>('/discovery/resources?protocol=mpp');
      assert.deepEqual(body.items, []);
    });

    it('none any more after a check that failed, and those of the store after a restart', async () => {
      assert.deepEqual(await seenAfter(X402), [['x402'], true]);
      const next = await at.restart();
      const { body } = await next.get<DiscoveryList>('/discovery/resources');
      assert.deepEqual(body.items[0]?.trust.protocols, ['x402']);
      await next.catalog.idle();
      at = next;
      at.clock.advance(OWNERSHIP_COOLDOWN_MS);
      assert.deepEqual(await seenAfter({}), [undefined, false]);
    });

    it('none of a former recipient, whose entry has moved', async () => {
      const both = { ...X402, 'www-authenticate': charge() };
      assert.deepEqual(await seenAfter(both), [['x402', 'mpp'], true]);
      at.clock.advance(8 * 86_400_000);
      send({ 'payment-required': challengeFor(OTHER) });
      assert.equal(await at.settle({ url: URL_A, payTo: OTHER }), 'binding_refused');
      assert.deepEqual((await trust()).protocols, ['x402']);
    });

    it('a data folder from before has no protocols until the next check', async () => {
      await seenAfter(X402);
      const { database } = at;
      await at.stop();
      await database.run('ALTER TABLE catalog_entries DROP COLUMN protocols');
      await database.run("DELETE FROM schema_migrations WHERE name = '016-catalog-protocols'");
      assert.deepEqual(await migrate(database, MIGRATIONS), ['016-catalog-protocols']);
      const { clock } = at;
      // Its verified entries are checked again at the start.
      let isAsked = false;
      const observed = {
        ...seller.fetch,
        resolve: async (host: string) => {
          isAsked = true;
          return (await seller.fetch.resolve?.(host)) ?? [];
        },
      };
      send({ ...X402, 'www-authenticate': charge() });
      const [row] = await database.all<{ protocols: string }>(
        'SELECT protocols FROM catalog_entries',
      );
      assert.equal(row?.protocols, '');
      at = await openTestCatalog({ database, clock, ownershipFetch: observed });
      assert.deepEqual((await trust()).protocols, ['x402', 'mpp']);
      assert.equal(isAsked, true);
    });

    it('list, search and facets narrow to a protocol, or show it', async () => {
      await seenAfter({ ...X402, 'www-authenticate': charge() });
      await seenAfter(X402);
      const plain = 'https://seller.dev/plain';
      await at.settle({ url: plain, resource: { serviceName: 'Plain quotes' } });
      await at.settle({ url: 'https://seller.dev/mpp', resource: { serviceName: 'Paid quotes' } });
      await at.catalog.idle();
      at.clock.advance(OWNERSHIP_COOLDOWN_MS);
      send({ 'www-authenticate': charge() });
      await at.settle({ url: 'https://seller.dev/mpp', resource: { serviceName: 'Paid quotes' } });
      await at.catalog.idle();
      const list = async (protocol: string) => {
        const { body } = await at.get<DiscoveryList>(`/discovery/resources?protocol=${protocol}`);
        return body.items.map(({ resource }) => resource).sort();
      };
      assert.deepEqual(await list('mpp'), ['https://seller.dev/mpp']);
      assert.deepEqual(await list('X402'), [plain, URL_A].sort());
      const { body: found } = await at.get<DiscoverySearch>(
        '/discovery/search?query=quotes&protocol=mpp',
      );
      assert.deepEqual(
        found.resources.map(({ resource, trust: { protocols } }) => [resource, protocols]),
        [['https://seller.dev/mpp', ['mpp']]],
      );
      const { body: facets } = await at.get<DiscoveryFacets>('/discovery/facets');
      assert.deepEqual(facets.protocol, [
        { value: 'x402', count: 2 },
        { value: 'mpp', count: 1 },
      ]);
      const { status, body } = await at.get('/discovery/resources?protocol=l402');
      assert.equal(status, 400);
      assert.match(JSON.stringify(body), /protocol is x402 or mpp/);
    });

    it('its OpenAPI has offers of MPP where its challenge was seen, and only there', async () => {
      const infoAfter = async (headers: Sent) => {
        await seenAfter(headers);
        const { body } = await at.get<{
          paths: Record<string, { get: { 'x-payment-info': Record<string, unknown> } }>;
        }>('/discovery/openapi.json?origin=https://seller.dev');
        return body.paths['/quote']?.get['x-payment-info'] ?? assert.fail('the path is missing');
      };
      const x402 = await infoAfter(X402);
      assert.equal('offers' in x402, false);
      assert.equal((x402['protocols'] as object[]).length, 1);
      const both = await infoAfter({ ...X402, 'www-authenticate': charge() });
      assert.deepEqual(both['offers'], [
        { method: 'stellar', intent: 'charge', currency: USDC, amount: '100000' },
      ]);
      assert.deepEqual((both['protocols'] as object[])[1], {
        mpp: { method: 'stellar', intent: 'charge', currency: USDC },
      });
      assert.deepEqual(
        { ...both, offers: undefined, protocols: undefined },
        {
          ...x402,
          offers: undefined,
          protocols: undefined,
        },
      );
    });
  });
}

describe('On the embedded network, a seller on this machine is seen too', () => {
  it('its listing has the protocols and the local check, and is not verified', async (t) => {
    const header = charge();
    const server = createServer((_, response) => {
      response.writeHead(402, { ...X402, 'www-authenticate': header }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.address() as AddressInfo;
    const at = await openTestCatalog({ checksLocalSellers: true, ownershipFetch: {} });
    t.after(() => at.close());
    await at.settle({ url: `http://127.0.0.1:${port}/quote` });
    await at.catalog.idle();
    const { body } = await at.get<DiscoveryList>('/discovery/resources?protocol=mpp');
    const { protocols, ownerVerified, localCheck } = body.items[0]?.trust ?? assert.fail('none');
    assert.deepEqual([protocols, ownerVerified, localCheck], [['x402', 'mpp'], false, true]);
    const manifest = await at.get<{ resources: object[] }>('/.well-known/x402');
    assert.deepEqual(manifest.body.resources, [
      { url: `http://127.0.0.1:${port}/quote`, method: 'GET', protocols: ['x402', 'mpp'] },
    ]);
  });
});

describe('POST /discovery/validate judges challenges of MPP', () => {
  let seller: TlsSeller;
  let send: (headers: Sent) => void;
  let at: TestCatalog;
  const { declared, option } = catalogPayment({
    url: URL_A,
    resource: { serviceName: 'Quotes', description: 'Quotes', tags: ['quotes'] },
  });
  const x402 = {
    'payment-required': encodeHeaderMessage({ x402Version: 2, accepts: [option], ...declared }),
  };
  before(async () => {
    ({ seller, send } = await startSeller());
    at = await openTestCatalog({ ownershipFetch: seller.fetch });
  });
  after(async () => {
    await at.close();
    await seller.close();
  });

  async function ask(headers: Sent): Promise<DiscoveryValidation> {
    send(headers);
    const { status, body } = await at.post<DiscoveryValidation>('/discovery/validate', {
      url: URL_A,
    });
    assert.equal(status, 200);
    return body;
  }
  const mppRules = ({ rules }: DiscoveryValidation) =>
    rules.filter(({ rule }) => rule.startsWith('mpp_'));
  const outcomes = (validation: DiscoveryValidation) =>
    Object.fromEntries(mppRules(validation).map(({ rule, outcome }) => [rule, outcome]));

  it('a good one passes four rules, beside those of x402', async () => {
    const validation = await ask({ ...x402, 'www-authenticate': charge() });
    assert.equal(validation.wouldBeListed, true);
    assert.deepEqual(outcomes(validation), {
      mpp_challenge: 'passed',
      mpp_terms: 'passed',
      mpp_expiry: 'passed',
      mpp_binding: 'passed',
    });
    assert.deepEqual(mppRules(await ask(x402)), []);
  });

  const passing = {
    mpp_challenge: 'passed',
    mpp_terms: 'passed',
    mpp_expiry: 'passed',
    mpp_binding: 'passed',
  };
  const hashOnly = requestWith({}, { credentialTypes: ['hash'] });
  const cases: readonly (readonly [
    name: string,
    header: string,
    rule: string,
    outcome: string,
    received: RegExp,
  ])[] = [
    [
      'a member is missing',
      charge().replace(/realm="[^"]*", /, ''),
      'mpp_challenge',
      'failed',
      /^WWW-Authenticate is "Payment id=/,
    ],
    [
      'the method is another',
      charge({ method: 'tempo' }),
      'mpp_terms',
      'failed',
      /^challenge 1: method is "tempo"$/,
    ],
    [
      'the intent is another',
      charge({ intent: 'channel' }),
      'mpp_terms',
      'failed',
      /intent is "channel"/,
    ],
    ['the request is not JSON', charge({ request: 'x' }), 'mpp_terms', 'failed', /request is "x"/],
    [
      'the network is another',
      charge({ request: requestWith({}, { network: 'stellar:pubnet' }) }),
      'mpp_terms',
      'failed',
      /methodDetails.network is "stellar:pubnet"/,
    ],
    [
      'the buyer pays the fee',
      charge({ request: requestWith({}, { feePayer: false }) }),
      'mpp_terms',
      'failed',
      /methodDetails.feePayer is false/,
    ],
    [
      'who pays the fee is not said',
      charge({ request: requestWith({}, { feePayer: undefined }) }),
      'mpp_terms',
      'failed',
      /methodDetails.feePayer is missing/,
    ],
    [
      'only a hash is taken',
      charge({ request: hashOnly }),
      'mpp_terms',
      'failed',
      /credentialTypes is \["hash"\]/,
    ],
    [
      'the amount is zero',
      charge({ request: requestWith({ amount: '0' }) }),
      'mpp_terms',
      'failed',
      /amount is "0"/,
    ],
    [
      'the currency is a name',
      charge({ request: requestWith({ currency: 'USDC' }) }),
      'mpp_terms',
      'failed',
      /currency is "USDC"/,
    ],
    [
      'the recipient is not an address',
      charge({ request: requestWith({ recipient: 'GABC' }) }),
      'mpp_terms',
      'failed',
      /recipient is "GABC"/,
    ],
    [
      'it has expired',
      charge({ expires: '2026-11-20T00:00:00Z' }),
      'mpp_expiry',
      'failed',
      /expires is "2026-11-20T00:00:00Z", and now it is 2026-11-21T/,
    ],
    [
      'its expiry is not a time',
      charge({ expires: 'soon' }),
      'mpp_expiry',
      'failed',
      /expires is "soon"/,
    ],
    [
      'it has no expiry',
      charge({ expires: undefined }),
      'mpp_expiry',
      'warning',
      /expires is missing/,
    ],
    [
      'its id is short',
      charge({ id: 'order-7' }),
      'mpp_binding',
      'warning',
      /id is "order-7", and an HMAC-SHA256 has 43/,
    ],
    [
      'no route is named',
      charge({ opaque: undefined }),
      'mpp_binding',
      'warning',
      /opaque is missing, so no route is named/,
    ],
    [
      'opaque is not JSON',
      charge({ opaque: 'route' }),
      'mpp_binding',
      'warning',
      /opaque is "route", which is not/,
    ],
    [
      'two terms have one id',
      `${charge()}, ${charge({ expires: '2026-12-01T00:00:00Z' })}`,
      'mpp_binding',
      'warning',
      /challenge 2: id is "AAA.*, the same as that of other terms/,
    ],
  ];
  for (const [name, header, rule, outcome, received] of cases) {
    it(`${rule}, ${outcome}: ${name}; the reason names what was received, and x402 alone would still be listed`, async () => {
      const validation = await ask({ ...x402, 'www-authenticate': header });
      assert.equal(validation.wouldBeListed, true);
      const judged =
        rule === 'mpp_challenge'
          ? {
              mpp_challenge: 'failed',
              mpp_terms: 'not_judged',
              mpp_expiry: 'not_judged',
              mpp_binding: 'not_judged',
            }
          : { ...passing, [rule]: outcome };
      assert.deepEqual(outcomes(validation), judged);
      const found = mppRules(validation).find((one) => one.rule === rule);
      assert.match(found?.detail ?? '', received);
      assert.ok((found?.mend ?? '').length > 20);
      const body = { ...declared, payTo: SELLER, wwwAuthenticate: header };
      const sent = await at.post<DiscoveryValidation>('/discovery/validate', body);
      assert.deepEqual(mppRules(sent.body), mppRules(validation));
    });
  }

  it('one of several that can settle here is enough, and those of other methods are not judged', async () => {
    const header = `${charge({ method: 'tempo', id: 'x', expires: 'soon' })}, ${charge()}`;
    assert.deepEqual(outcomes(await ask({ ...x402, 'www-authenticate': header })), passing);
  });

  it('a URL that asks by MPP alone: its rules are judged, and the declaration is not', async () => {
    const validation = await ask({ 'www-authenticate': charge() });
    assert.equal(validation.wouldBeListed, false);
    assert.deepEqual(
      validation.rules.map(({ rule, outcome }) => [rule, outcome]),
      [
        ['challenge', 'warning'],
        ...Object.entries(passing),
        ['extension', 'not_judged'],
        ['settled', 'warning'],
      ],
    );
    const unreadable = await ask({ 'www-authenticate': 'Payment id="x", realm="r"' });
    assert.match(
      mppRules(unreadable)[0]?.detail ?? '',
      /WWW-Authenticate is "Payment id=\\"x\\", realm=\\"r\\""/,
    );
    assert.equal(await at.settle({ url: URL_A }), 'cataloged');
    await at.catalog.idle();
    const listed = await ask({ 'www-authenticate': charge() });
    assert.deepEqual(
      [listed.wouldBeListed, listed.resource, listed.listed?.resource],
      [true, URL_A, URL_A],
    );
    const elsewhere = await ask({ 'www-authenticate': charge({ payTo: OTHER }) });
    assert.equal(elsewhere.wouldBeListed, false);
  });
});
