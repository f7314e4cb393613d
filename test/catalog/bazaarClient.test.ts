import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeHeaderMessage } from '../../src/protocol/index.ts';
import { extensionResponsesSchema } from '../../src/protocol/wire/index.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type BazaarClient, bazaarClient, bazaarPackage } from '../support/bazaarClient.ts';
import { NOT_INSTALLED } from '../support/canonical.ts';
import { canonicalClient } from '../support/facilitatorClient.ts';
import { freshPayment } from '../support/freshPayment.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { challengeFor, startTlsSeller, type TlsSeller } from '../support/tlsSeller.ts';

const { declareDiscoveryExtension, bazaarResourceServerExtension, extractDiscoveryInfo } =
  bazaarPackage ?? ({} as NonNullable<typeof bazaarPackage>);

/** What a seller's route declares, enriched as the resource server does for a request. */
function declared(route: string, path: string, config: object): { bazaar: object } {
  const { bazaar } = declareDiscoveryExtension(config);
  const context = { method: 'GET', routePattern: route, adapter: { getPath: () => path } };
  return { bazaar: bazaarResourceServerExtension.enrichDeclaration(bazaar, context) };
}

const WEATHER = {
  input: { units: 'metric' },
  inputSchema: { properties: { units: { type: 'string' } } },
  output: { example: { city: 'Lima', tempC: 19 } },
};

describe('[spec: POST /verify and POST /settle/Bazaar client] The bazaar client of @x402/extensions, unmodified, on a real settlement', {
  skip: bazaarPackage === undefined ? NOT_INSTALLED : false,
}, () => {
  let stack: LocalStack;
  let client: BazaarClient;
  let tls: TlsSeller;
  let payer: TestKey;
  let seller: TestKey;
  let hostile: TestKey;

  before(async () => {
    tls = await startTlsSeller((_, response) => {
      response.writeHead(402, { 'payment-required': challengeFor(seller.address) }).end('{}');
    });
    stack = await startLocalStack({ ownershipFetch: tls.fetch });
    client = bazaarClient(stack.facilitator.url);
    payer = await openPayer(stack);
    seller = await openSeller(stack);
    hostile = await openSeller(stack);
  });
  after(async () => {
    await stack.close();
    await tls.close();
  });

  /** Settles a payment that carries this; returns the decoded `extension-responses` and the hash. */
  async function settle(resource: object, extensions: object | undefined, payTo = seller) {
    const request = await freshPayment(stack, payer, payTo);
    Object.assign(request.paymentPayload, { resource, extensions });
    const response = await fetch(`${stack.facilitator.url}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    const body = (await response.json()) as { success: boolean; transaction: string };
    assert.equal(body.success, true, JSON.stringify(body));
    const header = decodeHeaderMessage(response.headers.get('extension-responses') ?? '');
    const { bazaar } = extensionResponsesSchema.parse(header);
    return { request, bazaar, hash: body.transaction };
  }

  it('[spec: GET /supported/kinds] the extension is advertised', async () => {
    const { extensions } = await canonicalClient(stack.facilitator.url).getSupported();
    assert.deepEqual(extensions, ['bazaar', 'payment-identifier']);
  });

  it('[spec: Events/Verify catalogs nothing] before any payment the catalog is empty, with or without verified_only', async () => {
    const request = await freshPayment(stack, payer, seller);
    Object.assign(request.paymentPayload, {
      resource: { url: 'https://seller.dev/forecast' },
      extensions: declared('/forecast', '/forecast', WEATHER),
    });
    const verified = await canonicalClient(stack.facilitator.url).verify(
      request.paymentPayload,
      request.paymentRequirements,
    );
    assert.equal(verified.isValid, true);
    const { items, pagination } = await client.extensions.bazaar.listResources();
    assert.deepEqual(items, []);
    assert.deepEqual(pagination, { limit: 20, offset: 0, total: 0 });
  });

  it('[spec: extension-responses header/bazaar.cataloged] [spec: What the service does/5] a settled payment with the echo is cataloged', async () => {
    const resource = {
      url: 'https://seller.dev/forecast',
      description: 'Forecast',
      serviceName: 'Sky',
      tags: ['weather'],
    };
    const { request, bazaar } = await settle(resource, declared('/forecast', '/forecast', WEATHER));
    assert.deepEqual(bazaar, { status: 'success', cataloged: true });
    // The canonical helper reads the same payment in the same way.
    const canonical = extractDiscoveryInfo(request.paymentPayload, request.paymentRequirements);
    const { items } = await client.extensions.bazaar.listResources({
      type: 'http',
      payTo: seller.address,
      scheme: 'exact',
      network: 'stellar:testnet',
      extensions: 'bazaar',
      limit: 10,
      offset: 0,
    });
    assert.equal(items.length, 1);
    assert.equal(items[0]?.resource, canonical?.resourceUrl);
    assert.equal(items[0]?.serviceName, canonical?.serviceName);
    assert.deepEqual(items[0]?.accepts[0], { ...request.paymentRequirements });
  });

  it("[spec: ownerVerified/States] [spec: Authentication/Ownership] its owner is verified off the settlement's path, over TLS", async () => {
    for (let round = 0; round < 100; round++) {
      const [entry] = (await client.extensions.bazaar.listResources()).items;
      if (entry?.trust.ownerVerified) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.fail('it was never verified');
  });

  it('[spec: Discovery extension declaration/Templated route] a templated route is listed under its template, and never fetched', async () => {
    const path = '/weather/Lima';
    const before = tls.requests.length;
    const { bazaar } = await settle(
      { url: `https://seller.dev${path}?units=metric` },
      declared('/weather/:city', path, WEATHER),
    );
    assert.equal(bazaar?.cataloged, true);
    const { items } = await client.extensions.bazaar.listResources();
    const entry = items.find(({ resource }) => resource === 'https://seller.dev/weather/:city');
    assert.equal(entry?.trust.ownerVerified, false);
    assert.equal(tls.requests.length, before);
  });

  it('[spec: Catalog ownership binding/Different payTo] a takeover settles, and changes nothing in the catalog', async () => {
    const before = await client.extensions.bazaar.listResources();
    const held = await balancesOf(stack, hostile.address);
    const { bazaar } = await settle(
      { url: 'https://SELLER.dev/forecast/', serviceName: 'Mine' },
      declared('/forecast', '/forecast', WEATHER),
      hostile,
    );
    assert.deepEqual(bazaar, {
      status: 'rejected',
      cataloged: false,
      rejectedReason: 'binding_refused',
      reason: 'binding_refused',
    });
    assert.equal((await balancesOf(stack, hostile.address)).usdc - held.usdc, 100_000n);
    assert.deepEqual(await client.extensions.bazaar.listResources(), before);
  });

  it('[spec: Catalog reasons/Payment unaffected] [spec: Settlement path/4] [spec: extension-responses header/bazaar.reason] whatever the reason for not listing it, the payment stays settled', async () => {
    const url = 'https://seller.dev/other';
    const cases: [string, object, object | undefined][] = [
      ['no_discovery_extension', { url }, undefined],
      ['schema_validation_failed', { url }, { bazaar: { info: {} } }],
      [
        'schema_validation_failed',
        { url },
        { bazaar: { ...declared('/x', '/x', WEATHER).bazaar, routeTemplate: '/../x' } },
      ],
      [
        'invalid_tool_name',
        { url },
        declareDiscoveryExtension({ toolName: 'no tool!', inputSchema: {} }),
      ],
    ];
    for (const [reason, resource, extensions] of cases) {
      const { bazaar } = await settle(resource, extensions);
      assert.equal(bazaar?.status === 'rejected' && bazaar.reason, reason);
    }
  });

  it('tools are cataloged as well as routes, and the search finds both', async () => {
    const tool = {
      toolName: 'translate_text',
      description: 'Translates a text',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    };
    const { bazaar } = await settle(
      { url: 'https://seller.dev/mcp' },
      declareDiscoveryExtension(tool),
    );
    assert.equal(bazaar?.cataloged, true);
    const { resources, pagination } = await client.extensions.bazaar.search({
      query: 'translate',
      type: 'mcp',
      limit: 5,
    });
    assert.equal(resources[0]?.toolName, 'translate_text');
    assert.equal(resources[0]?.description, 'Translates a text');
    assert.equal(pagination?.cursor, null);
    const found = await client.extensions.bazaar.search({ query: 'weather' });
    assert.equal(found.resources[0]?.serviceName, 'Sky');
    await assert.rejects(client.extensions.bazaar.search({ query: '' }), /empty_query/);
  });

  it('[spec: Health/unverifiableEntries] unverifiableEntries is absent when zero, and counted otherwise', async () => {
    type Health = { catalogFrozen: boolean; unverifiableEntries?: number; reverifyPending: number };
    const read = async () =>
      (await (await fetch(`${stack.facilitator.url}/health`)).json()) as Health;
    for (let round = 0; round < 100 && (await read()).reverifyPending > 0; round++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const health = await read();
    assert.equal(health.catalogFrozen, false);
    assert.equal(health.reverifyPending, 0);
    assert.ok((health.unverifiableEntries ?? 0) >= 1);
  });
});
