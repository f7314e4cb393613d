import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { checkConfig, checkUrl } from '../../src/cli/check/index.ts';
import { openTill, type Till } from '../../src/cli/check/till.ts';
import { createReport } from '../../src/cli/report.ts';
import { openShop, type Shop, serve } from './support/shop.ts';

const PAY_TO = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';

describe('`svc-x402 check` of a proxy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-check-proxy-'));
  const file = join(folder, 'x402.yaml');
  let till: Till;
  let api: Awaited<ReturnType<typeof serve>>;
  let shop: Shop;
  let calls: string[] = [];

  const configOf = (routes: string): string =>
    `upstream: ${api.url}\npayTo: ${PAY_TO}\nfacilitator: ${till.url}\nroutes:\n${routes}`;
  const ROUTES = '  GET /weather/{city}: 0.01\n  POST /quote: 0.05\n  GET /health: free\n';

  before(async () => {
    till = await openTill();
    api = await serve((request, response) => {
      calls.push(`${request.method} ${request.url}`);
      if (request.url === '/openapi.json') response.writeHead(404).end();
      else response.end('{"sold":true}');
    });
    shop = await openShop(configOf(ROUTES), { facilitatorUrl: till.url });
  });
  after(async () => {
    await shop.close();
    await api.close();
    await till.close();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Checked {
    readonly event: string;
    readonly url?: string;
    readonly passed?: boolean;
    readonly requests?: readonly { readonly verdict: string }[];
  }

  /** Runs a check. @returns what was reported, and the message that it ended with */
  async function check(work: (report: ReturnType<typeof createReport>) => Promise<void>) {
    const events: Checked[] = [];
    calls = [];
    const report = createReport(true, (line) => events.push(JSON.parse(line) as Checked));
    const ended = await work(report).then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    );
    const passed = events
      .filter(({ event }) => event === 'checked')
      .map(({ url, passed: was }) => [url?.replace(shop.proxy.url, ''), was]);
    return { events, passed, ended };
  }

  it('against its configuration: every sold route in every spelling, and the free ones', async () => {
    writeFileSync(file, configOf(ROUTES));
    const { events, passed, ended } = await check((report) =>
      checkConfig(file, { url: shop.proxy.url }, report),
    );
    assert.equal(ended, undefined);
    assert.deepEqual(passed, [
      ['GET /weather/1', true],
      ['POST /quote', true],
    ]);
    assert.ok(events.every(({ requests = [] }) => requests.length === 0 || requests.length > 50));
    // Nothing that is sold was reached.
    assert.deepEqual(new Set(calls), new Set(['GET /health']));
  });

  it('by its address alone: what its own document says is sold', async () => {
    const { passed, ended } = await check((report) => checkUrl(shop.proxy.url, 'GET', {}, report));
    assert.equal(ended, undefined);
    assert.deepEqual(passed, [
      ['GET /weather/1', true],
      ['POST /quote', true],
    ]);
    assert.deepEqual(new Set(calls), new Set(['GET /openapi.json']));
  });

  it('fails where the file sells what the running proxy gives away', async () => {
    writeFileSync(file, configOf(`${ROUTES.replace('free', '0.01')}`));
    const { passed, ended } = await check((report) =>
      checkConfig(file, { url: shop.proxy.url }, report),
    );
    assert.equal(ended, '1 endpoint did not pass the check.');
    assert.deepEqual(passed.at(-1), ['GET /health', false]);
  });

  it('fails where the running proxy sells what is free in the file', async () => {
    writeFileSync(file, configOf('  GET /weather/{city}: free\n  POST /quote: 0.05\n'));
    const { events, ended } = await check((report) =>
      checkConfig(file, { url: shop.proxy.url }, report),
    );
    assert.equal(ended, '1 endpoint did not pass the check.');
    assert.ok(events.some(({ event }) => event === 'charged'));
  });

  it('fails where nothing is sold, and where no proxy answers', async () => {
    writeFileSync(file, configOf('  GET /health: free\n'));
    const none = await check((report) => checkConfig(file, { url: shop.proxy.url }, report));
    assert.equal(none.ended, 'Nothing is sold, so nothing was checked.');
    writeFileSync(file, configOf(ROUTES));
    const gone = await check((report) => checkConfig(file, { url: 'http://127.0.0.1:1' }, report));
    assert.match(gone.ended ?? '', /got no response from http:\/\/127\.0\.0\.1:1/);
  });

  it('names a file that cannot be read', async () => {
    const { ended } = await check((report) => checkConfig(join(folder, 'none.yaml'), {}, report));
    assert.match(ended ?? '', /none\.yaml cannot be read/);
  });

  it('refuses a file with problems, each with its place', async () => {
    writeFileSync(file, `upstream: x\npayTo: ${PAY_TO}\n`);
    const { ended } = await check((report) => checkConfig(file, {}, report));
    assert.match(ended ?? '', /x402\.yaml:1:\d+: /);
  });
});
