import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { addPayment, deadPayments, findRoutes, setPrice } from '../../src/codegen/index.ts';
import { accountSigner, createX402Fetch } from '../../src/sdk/index.ts';
import { readDeclaration } from '../../src/server/catalog/declaration/readDeclaration.ts';
import { ask, termsIn } from '../proxy/support/shop.ts';
import { balancesOf, openPayer, openSeller } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import type { TestKey } from '../support/payer.ts';
import { USDC } from '../support/payment.ts';
import { added, addRefused, removed } from './payments.ts';

const BOTH = { protocols: ['x402', 'mpp'] } as const;
const EXPRESS = `import express from 'express';

export const app = express();

/** The weather of a city. */
app.get('/weather/:city', (req, res) => {
  res.json({ city: req.params.city });
});

app.get('/free', (req, res) => {
  res.send('free');
});
`;
const HONO = `import { Hono } from 'hono';

export const app = new Hono();

app.get('/weather/:city', (c) => c.json({ city: c.req.param('city') }));

app.post('/quote', async (c) => c.text((await c.req.text()).toUpperCase()));

app.get('/free', (c) => c.text('free'));
`;
const CITY = "app.get('/weather/:city', (";
const path = 'src/app.ts';
const gatedIn = (text: string) =>
  findRoutes({ path, text }).map(({ method, path: at, gated }) => `${method} ${at} ${gated}`);

describe('A payment by both protocols in code', () => {
  it('is a gate of our engine on the route’s own method and path', () => {
    const text = added(EXPRESS, CITY, BOTH);
    assert.match(text, /import \{ createSeller \} from 'svc-x402\/seller';/);
    assert.match(text, /const paymentSeller = createSeller\(\{/);
    assert.match(text, /app\.get\(\n {2}'\/weather\/:city',\n {2}paymentSeller\.node\(\{/);
    assert.match(text, /price: '0\.01',\n {4}description: 'The weather of a city/);
    assert.doesNotMatch(text, /@x402\//);
    assert.doesNotMatch(text, /protocols:/);
    assert.match(added(HONO, CITY, BOTH), /paymentSeller\.hono\(\{/);
    assert.match(added(HONO, CITY, { protocols: ['mpp'] }), /protocols: \['mpp'\]/);
  });

  it('is not written unless it is asked for', () => {
    for (const protocols of [undefined, ['x402'] as const]) {
      const text = added(EXPRESS, CITY, { protocols });
      assert.doesNotMatch(text, /svc-x402\/seller/);
      assert.match(text, /@x402\/express/);
      assert.equal(text, added(EXPRESS, CITY));
    }
  });

  it('is listed as paid, and its neighbours as free', () => {
    assert.deepEqual(gatedIn(added(EXPRESS, CITY, BOTH)), [
      'GET /weather/:city marker',
      'GET /free undefined',
    ]);
    assert.equal(addRefused(added(EXPRESS, CITY, BOTH), 'req.params', BOTH), 'already_gated');
  });

  it('is removed to the byte, alone and of several', () => {
    for (const text of [EXPRESS, HONO, EXPRESS.replaceAll('\n', '\r\n')]) {
      assert.equal(removed(added(text, CITY, BOTH), 'city: '), text);
      const two = added(added(text, CITY, BOTH), "'/free'", BOTH);
      assert.equal(two.match(/createSeller\(/g)?.length, 1);
      assert.deepEqual(gatedIn(two).filter((line) => line.endsWith('marker')).length, 2);
      assert.equal(removed(two, "'free'"), added(text, CITY, BOTH));
      const first = removed(two, 'city: ');
      assert.match(first, /createSeller\(/);
      assert.deepEqual(
        gatedIn(first).filter((line) => line.endsWith('marker')),
        ['GET /free marker'],
      );
    }
  });

  it('follows the file: a further one uses its seller, also without the option', () => {
    const two = added(added(EXPRESS, CITY, { protocols: ['mpp'] }), "'/free'");
    assert.equal(two.match(/paymentSeller\.node\(/g)?.length, 2);
    assert.doesNotMatch(two, /@x402\//);
  });

  it('whose route was renamed is reported as a payment without a route', () => {
    const text = added(EXPRESS, CITY, BOTH).replace(
      "app.get('/weather/:city', (req",
      "app.get('/forecast/:city', (req",
    );
    assert.deepEqual(
      deadPayments({ path, text }).map(({ framework, method, path: at }) => [
        framework,
        method,
        at,
      ]),
      [['express', 'GET', '/weather/:city']],
    );
    assert.deepEqual(gatedIn(text)[0], 'GET /forecast/:city undefined');
  });

  it('has a price that can be changed alone', () => {
    const text = added(EXPRESS, CITY, BOTH);
    const result = setPrice({ path, text, offset: text.indexOf('city: req'), price: '0.25' });
    assert.ok(result.ok);
    const [edit] = result.edits;
    assert.equal(edit?.text, "'0.25'");
    assert.equal(result.edits.length, 1);
  });

  it('written by hand is recognized', () => {
    const own = "import { createSeller } from 'svc-x402/seller';\nconst s = createSeller({});\n";
    const by = (route: string) =>
      gatedIn(`${own}${EXPRESS.split('\n\n/**')[0]}\n${route}\n`).at(-1);
    assert.equal(by("app.get('/x', s.node({ price: '1' }), h);"), 'GET /x code');
    assert.equal(by("app.use(s.node({ price: '1' }));\napp.get('/x', h);"), 'GET /x code');
    assert.equal(
      by("app.use('/y', s.node({ price: '1' }));\napp.get('/x', h);"),
      'GET /x undefined',
    );
    assert.equal(by("app.get('/x', t.node({ price: '1' }), h);"), 'GET /x undefined');
    assert.equal(
      by("app.post('/x', s.node({ price: '1' }));\napp.get('/x', h);"),
      'GET /x undefined',
    );
  });

  const FASTIFY =
    "import Fastify from 'fastify';\nconst app = Fastify();\napp.get('/x', async () => 1);\n";
  const NEXT = 'export async function GET() {\n  return Response.json({});\n}\n';
  const CHAIN =
    "import { Hono } from 'hono';\nexport const app = new Hono()\n  .get('/a', (c) => c.text('a'))\n  .get('/x', (c) => c.text('x'));\n";
  const COMMON =
    "const express = require('express');\nconst app = express();\napp.get('/x', (req, res) => res.send('x'));\n";
  const refusals: readonly (readonly [string, string, string, object])[] = [
    ['Fastify', FASTIFY, "'/x'", {}],
    ['Next.js', NEXT, 'GET', { path: 'app/x/route.ts' }],
    ['a chain of Hono', CHAIN, "'/x'", {}],
    ['CommonJS', COMMON, "'/x'", { path: 'app.js' }],
    ['Workers', HONO, CITY, { runtime: 'workers' }],
  ];
  for (const [what, text, at, more] of refusals) {
    it(`is refused for ${what}, with the proxy's command`, () => {
      const offset = text.indexOf(at);
      const result = addPayment({
        ...{ text, path, offset, price: '0.01', facilitatorUrl: 'http://127.0.0.1:4021' },
        ...{ payTo: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57' },
        ...{ nextVersion: '16.2.6', ...BOTH, ...more },
      });
      assert.ok(!result.ok);
      assert.equal(result.refusal.code, 'framework_not_supported');
      assert.match(result.refusal.message, /svc-x402 proxy http:\/\/127\.0\.0\.1:PORT/);
    });
  }

  it('is refused beside payments of the packages, and for another recipient', () => {
    const packages = added(EXPRESS, CITY);
    assert.equal(addRefused(packages, "'/free'", BOTH), 'block_edited');
    const engine = added(EXPRESS, CITY, BOTH);
    assert.equal(addRefused(engine, "'/free'", { protocols: ['x402'] }), 'block_edited');
    const payTo = 'GBBM6BKZPEHWYO3E3YKREDPQXMS4VK35YLNU7NFBRI26RAN7GI5POFBB';
    assert.equal(addRefused(engine, "'/free'", { payTo }), 'invalid_pay_to');
  });
});

describe('An app with such a payment, running', () => {
  const folder = mkdtempSync(join(makeFolder(), 'engine-'));
  let stack: LocalStack;
  let payer: TestKey;
  let payTo: TestKey;
  const open: Server[] = [];
  const before402 = process.env['FACILITATOR_URL'];
  before(async () => {
    stack = await startLocalStack();
    payer = await openPayer(stack, 1_000_000_000n);
    payTo = await openSeller(stack);
    process.env['FACILITATOR_URL'] = stack.facilitator.url;
  });
  after(async () => {
    if (before402 === undefined) delete process.env['FACILITATOR_URL'];
    else process.env['FACILITATOR_URL'] = before402;
    for (const server of open) {
      server.closeAllConnections();
      server.close();
    }
    await stack?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Writes the generated code as a module of this package, so that it finds its own packages, and serves it. */
  async function serve(name: string, text: string): Promise<string> {
    const file = join(folder, name);
    writeFileSync(file, text);
    const { app } = (await import(pathToFileURL(file).href)) as {
      app: RequestListener & { fetch?: (request: Request) => Response | Promise<Response> };
    };
    const { fetch } = app;
    const server = createServer(fetch ? getRequestListener((request) => fetch(request)) : app);
    open.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  for (const [framework, source] of Object.entries({ Express: EXPRESS, Hono: HONO })) {
    it(`${framework}: paid by either protocol, free routes free, and no spelling gets past it`, async () => {
      const terms = { ...BOTH, payTo: payTo.address };
      let text = added(source, CITY, terms);
      if (framework === 'Hono') text = added(text, "app.post('/quote'", terms);
      const url = await serve(`${framework.toLowerCase()}.mjs`, text);
      const unpaid = await ask(url, '/weather/Lima');
      assert.equal(unpaid.status, 402);
      assert.match(String(unpaid.headers['www-authenticate']), /^Payment .*method="stellar"/);
      const { extensions, resource } = termsIn(unpaid) as unknown as {
        extensions: Record<string, unknown>;
        resource: unknown;
      };
      const declared = await readDeclaration({ resource, extensions });
      assert.ok(declared.ok, JSON.stringify(declared));
      assert.equal(declared.listing.resource, `${url}/weather/:city`);
      for (const protocol of ['x402', 'mpp'] as const) {
        const { usdc } = await balancesOf(stack, payTo.address);
        const pay = createX402Fetch({
          signer: accountSigner(payer.address, (hash) => payer.sign(Buffer.from(hash))),
          ...{ rpcUrl: stack.rpcUrl, allowedAssets: [USDC], protocols: [protocol] },
        });
        const response = await pay(`${url}/weather/${protocol}`);
        assert.deepEqual([response.status, await response.json()], [200, { city: protocol }]);
        const header = protocol === 'mpp' ? 'payment-receipt' : 'payment-response';
        assert.ok(response.headers.get(header), header);
        assert.equal((await balancesOf(stack, payTo.address)).usdc - usdc, 100_000n);
        if (framework !== 'Hono') continue;
        const quoted = await pay(`${url}/quote`, { method: 'POST', body: 'a' });
        assert.deepEqual([quoted.status, await quoted.text()], [200, 'A']);
      }
      assert.equal((await ask(url, '/free')).body.toString(), 'free');
      const head = await ask(url, '/weather/Lima', { method: 'HEAD' });
      assert.deepEqual([head.status, head.body.length], [200, 0]);
      for (const spelling of [
        '/weather/a%0Ab',
        '/weather/a%0Db',
        '/weather/a%E2%80%A8b',
        '/weather/a%2Fb',
        '/weather/a%5Cb',
        '/weather/%00',
        '/WEATHER/Lima',
        '/weather/Lima/',
        '//weather/Lima',
        '/weather//Lima',
        '/./weather/Lima',
        '/weather/Lima;x=1',
        '/weather/Lima?x=1',
        '/weather/%2e%2e',
      ]) {
        const answer = await ask(url, spelling);
        assert.ok([400, 402, 404].includes(answer.status), `${spelling}: ${answer.status}`);
      }
    });
  }
});

/** A folder of this package that is not committed. */
function makeFolder(): string {
  const folder = join(process.cwd(), 'build', 'tests');
  mkdirSync(folder, { recursive: true });
  return folder;
}
