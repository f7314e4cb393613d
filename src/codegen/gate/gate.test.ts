import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRoutes, readRoutes } from '../findRoutes.ts';
import { markedBlocks } from './markers.ts';
import { paymentBlocks } from './paymentBlocks.ts';

const EXPRESS = `import express from 'express';
import { paymentMiddleware } from '@x402/express';
const app = express();
`;
const FASTIFY = `import Fastify from 'fastify';
import { paymentMiddleware } from '@x402/fastify';
const app = Fastify();
`;
const begin = '// svc-x402: payments\n';
const end = '// svc-x402: end of payments\n';

/** How the last route of a file is gated. */
function gated(text: string, path = 'src/app.ts'): string | undefined {
  const route = findRoutes({ path, text }).at(-1);
  assert.ok(route, text);
  return route.gated;
}

describe('a block is between its two marks', () => {
  const blocks = (text: string) =>
    markedBlocks(text).map(({ start, end }) => text.slice(start, end));

  it('from the beginning of the first line to the end of the last', () => {
    assert.deepEqual(blocks(`a\n  ${begin}b\n\t${end}c`), [
      '  // svc-x402: payments\nb\n\t// svc-x402: end of payments',
    ]);
    assert.equal(blocks(`${begin}${end}${begin}b\n${end}`).length, 2);
    assert.equal(blocks('// svc-x402: payments \r\n// svc-x402: end of payments\r\n').length, 1);
  });

  it('a mark without its counterpart counts for nothing', () => {
    assert.deepEqual(blocks(begin), []);
    assert.deepEqual(blocks(end), []);
    assert.deepEqual(blocks(`${end}${begin}`), []);
    assert.deepEqual(blocks(`${begin}a\n${begin}b\n${end}`), [`${begin}b\n${end.trim()}`]);
    assert.equal(blocks(`${begin}${end}${end}`).length, 1);
  });

  it('a mark is on its own line', () => {
    assert.deepEqual(blocks(`x ${begin}${end}`), []);
    assert.deepEqual(blocks(`// svc-x402: payments!\n${end}`), []);
    assert.deepEqual(blocks(`// svc-x402: payments\n// svc-x402: end of payment\n`), []);
  });
});

describe('a payment before a route gates the routes of its map', () => {
  const gate = (map: string) => `${EXPRESS}app.use(paymentMiddleware(${map}, server));\n`;
  const route = "app.get('/x/:id', h);";

  it('by keys that cover the route', () => {
    for (const map of [
      "{ 'GET /x/:id': {} }",
      "{ 'GET /y': {}, 'GET /x/*': {} }",
      "{ '/x/[id]': {} }",
      "{ ['GET /x/' + ':id']: {} }",
    ]) {
      assert.equal(gated(gate(map) + route), 'code', map);
    }
    for (const map of [
      "{ 'POST /x/:id': {} }",
      "{ 'GET /y': {} }",
      '{}',
      '{ [key]: {} }',
      '{ ...more }',
    ]) {
      assert.equal(gated(gate(map) + route), undefined, map);
    }
  });

  it('by keys after a plugin’s prefix, which the route leaves out too', () => {
    const fastify = (key: string) =>
      gated(`${FASTIFY}paymentMiddleware(app, { [${key}]: {} });\n${route}`);
    const text = (inner: string, rest: string) => `\`GET \${${inner}}${rest}\``;
    assert.equal(fastify(text('app.prefix', '/x/:id')), 'code');
    assert.equal(fastify(text("app.prefix || '/x'", '/:id')), 'code');
    assert.equal(fastify(text('app.prefix', '/y')), undefined);
    assert.equal(fastify(text('app.base', '/x/:id')), undefined);
    assert.equal(fastify(text('prefix', '/x/:id')), undefined);
    assert.equal(fastify('prefix'), undefined);
  });

  it('by a map in a constant, and by one that is created elsewhere', () => {
    assert.equal(gated(`const map = { 'GET /x/:id': {} };\n${gate('map')}${route}`), 'code');
    assert.equal(gated(`const map = { 'GET /y': {} };\n${gate('map')}${route}`), undefined);
    assert.equal(gated(gate('imported') + route), 'code');
  });

  it('not one that comes later, nor on another instance', () => {
    const text = `${EXPRESS}${route}\napp.use(paymentMiddleware({ 'GET /x/:id': {} }, server));`;
    assert.equal(gated(text), undefined);
    const other = `${EXPRESS}const other = express();\nother.use(paymentMiddleware(routes));\n${route}`;
    assert.equal(gated(other), undefined);
    const unused = `${EXPRESS}app.set(paymentMiddleware(routes));\n${route}`;
    assert.equal(gated(unused), undefined);
    const alone = `${EXPRESS}paymentMiddleware(routes);\n${route}`;
    assert.equal(gated(alone), undefined);
  });

  it('in Fastify on the instance that the call names', () => {
    assert.equal(
      gated(`${FASTIFY}paymentMiddleware(app, { 'GET /x/:id': {} });\n${route}`),
      'code',
    );
    assert.equal(
      gated(`${FASTIFY}paymentMiddleware(other, { 'GET /x/:id': {} });\n${route}`),
      undefined,
    );
  });

  it('under any name that the packages have for it, and from no other package', () => {
    const by = (name: string, module: string) =>
      gated(
        `import express from 'express';\nimport { ${name} } from '${module}';\nconst app = express();\napp.use(${name}(routes));\n${route}`,
      );
    assert.equal(by('paymentMiddlewareFromConfig', '@x402/express'), 'code');
    assert.equal(by('paymentMiddlewareFromHTTPServer', '@x402/express'), 'code');
    assert.equal(by('paymentMiddleware', 'x402-express'), 'code');
    assert.equal(by('paymentMiddlewares', '@x402/express'), undefined);
    assert.equal(by('paymentMiddleware', 'my-x402-express'), undefined);
    assert.equal(by('paymentMiddleware', './x402.js'), undefined);
  });

  it('of one route when it is registered with that route’s method and path', () => {
    const tied = (gate: string) => gated(`${EXPRESS}app.${gate};\n${route}`);
    const takes = (path: string) =>
      tied(`get(${path}, paymentMiddleware({ 'GET **': {} }, server))`);
    assert.equal(takes("'/x/:id'"), 'code');
    assert.equal(takes("'/x/:other'"), undefined);
    assert.equal(tied("post('/x/:id', paymentMiddleware({ 'GET **': {} }, server))"), undefined);
    assert.equal(
      gated(`${FASTIFY}paymentMiddleware(only(app, 'GET', '/y'), { 'GET **': {} });\n${route}`),
      undefined,
    );
  });

  it('among the arguments of the route itself', () => {
    assert.equal(gated(`${EXPRESS}app.get('/x', paymentMiddleware(routes), h);`), 'code');
    assert.equal(
      gated(`${EXPRESS}const pay = paymentMiddleware({});\napp.get('/x', pay, h);`),
      'code',
    );
    assert.equal(gated(`${EXPRESS}const pay = other();\napp.get('/x', pay, h);`), undefined);
    assert.equal(gated(`${EXPRESS}app.get('/x', auth, h); f(paymentMiddleware);`), undefined);
  });
});

describe('a gate between the marks is ours', () => {
  const gate = "app.use(paymentMiddleware({ 'GET /x': {} }, server));\n";
  it('and outside of them anybody’s', () => {
    assert.equal(gated(`${EXPRESS}${begin}${gate}${end}app.get('/x', h);`), 'marker');
    assert.equal(gated(`${EXPRESS}${begin}${end}${gate}app.get('/x', h);`), 'code');
    assert.equal(gated(`${EXPRESS}${gate}${begin}${end}app.get('/x', h);`), 'code');
  });

  it('its own registrations are not endpoints', () => {
    const head = "app.head('/x', (req, res) => {});\n";
    const methods = (text: string) =>
      findRoutes({ path: 'a.ts', text }).map(({ method }) => method);
    assert.deepEqual(methods(`${EXPRESS}${begin}${head}${end}app.get('/x', h);`), ['GET']);
    assert.deepEqual(methods(`${EXPRESS}${begin}${end}${head}app.get('/x', h);`), ['HEAD', 'GET']);
    assert.deepEqual(methods(`${EXPRESS}${head}${begin}${end}app.get('/x', h);`), ['HEAD', 'GET']);
    const tied = "app.get('/x', paymentMiddleware({}, server));\n";
    assert.deepEqual(methods(`${EXPRESS}${begin}${tied}${end}app.get('/x', h);`), ['GET']);
    const inside = "app.get('/x', (req, res) => {});\n";
    assert.deepEqual(methods(`${EXPRESS}${begin}${inside}${end}`), ['GET']);
  });
});

describe('an export of Next.js is gated by what wraps it, or by what it calls', () => {
  const next = (text: string) => gated(text, 'app/x/route.ts');
  const head = "import { withX402, verify } from '@x402/next';\n";
  it('withX402 around the handler', () => {
    assert.equal(next(`${head}export const GET = withX402(h, {}, s);`), 'code');
    assert.equal(next(`${head}export const GET = cached(withX402(h, {}, s));`), 'code');
    assert.equal(next(`${head}${begin}export const GET = withX402(h, {}, s);\n${end}`), 'marker');
    assert.equal(next(`${head}export const GET = wrap(h);`), undefined);
    assert.equal(
      next("import { withX402 } from './x.js';\nexport const GET = withX402(h);"),
      undefined,
    );
    assert.equal(
      next("import { withX402FromHTTPServer as w } from '@x402/next';\nexport const GET = w(h);"),
      'code',
    );
  });

  it('a call of the adapter in the handler', () => {
    assert.equal(next(`${head}export async function GET() { await verify(); }`), 'code');
    assert.equal(next(`${head}export async function GET() { await other(); }`), undefined);
    assert.equal(next(`${head}verify();\nexport async function GET() {}`), undefined);
  });
});

describe('a block is read as it was written', () => {
  const blocksOf = (text: string, path = 'src/app.ts') => {
    const { file, bindings } = readRoutes({ path, text });
    return paymentBlocks(file, bindings);
  };
  const settings = `const CONFIG = { payToAddress: 'G1' };
const client = new HTTPFacilitatorClient({ url });
const pay = new x402ResourceServer(client).register('n', s);
`;
  const imports = `${EXPRESS}import { HTTPFacilitatorClient } from '@x402/core/server';
import { x402ResourceServer } from '@x402/express';
`;

  it('settings: address, client and server', () => {
    const text = `${imports}${begin}${settings}${end}`;
    const [block, ...others] = blocksOf(text);
    assert.ok(block?.settings);
    assert.deepEqual(others, []);
    const { start, end: last, ...read } = block.settings;
    assert.deepEqual(read, {
      payTo: 'CONFIG.payToAddress',
      payToAddress: 'G1',
      server: 'pay',
      isEngine: false,
      atRequest: false,
      forRoute: undefined,
    });
    assert.equal(text.slice(start, last), settings.trim());
    assert.deepEqual(block.foreign, []);
    assert.equal(block.gate, undefined);
  });

  it('a computed address is unknown', () => {
    const text = `${imports}${begin}${settings.replace("'G1'", 'address')}${end}`;
    assert.equal(blocksOf(text)[0]?.settings?.payToAddress, undefined);
    assert.equal(blocksOf(text)[0]?.settings?.payTo, 'CONFIG.payToAddress');
  });

  it('without address or server there are none', () => {
    for (const index of [0, 2]) {
      const some = settings
        .split('\n')
        .filter((_, at) => at !== index)
        .join('\n');
      assert.equal(blocksOf(`${imports}${begin}${some}${end}`)[0]?.settings, undefined);
    }
  });

  it('a gate with its map, its instance and its answers to HEAD', () => {
    const text = `${imports}${begin}app.use(paymentMiddleware({ 'GET /x': {} }, pay));
app.head('/x', (req, res) => {});
${end}`;
    const [block] = blocksOf(text);
    assert.equal(block?.gate?.routes.getText(), "{ 'GET /x': {} }");
    assert.match(block?.gate?.instance ?? '', /^app@/);
    assert.equal(block?.gate?.heads.length, 1);
    assert.deepEqual(block?.foreign, []);
  });

  it('other statements are foreign', () => {
    for (const statement of [
      "app.get('/y', h);",
      'const a = 1;',
      'const a = { payTo: 1 };',
      "const A = { payToAddress: 'G' }, B = 2;",
      'const c = new Client();',
      'app.use(paymentMiddleware(imported, pay));',
      "use(paymentMiddleware({ 'GET /x': {} }, pay));",
      'log();',
    ]) {
      const [block] = blocksOf(`${imports}${begin}${statement}\n${end}`);
      assert.equal(block?.foreign.length ?? 0, 1, statement);
    }
    const twice = "app.use(paymentMiddleware({ 'GET /x': {} }, pay));\n".repeat(2);
    assert.equal(blocksOf(`${imports}${begin}${twice}${end}`)[0]?.foreign.length, 1);
  });

  it('code around the marks is not in the block', () => {
    const text = `${imports}a();\n${begin}${settings}${end}b();\n`;
    assert.deepEqual(blocksOf(text)[0]?.foreign, []);
    const inner = `${imports}function f() {\n${begin}log();\n${end}}\n`;
    assert.deepEqual(
      blocksOf(inner)[0]?.foreign.map((statement) => statement.getText()),
      ['log();'],
    );
  });

  it('the exports of Next.js, each by its method', () => {
    const wrapped = (statement: string) =>
      blocksOf(
        `import { withX402 } from '@x402/next';\n${begin}${statement}\n${end}`,
        'app/x/route.ts',
      )[0]?.exports.map(({ method }) => method);
    for (const statement of [
      'export const GET = withX402(GET_impl, {}, pay);',
      'const GET_paid = withX402(GET_impl, {}, pay);',
      'const GET_contexts = new WeakMap();',
      'export const GET = (request, context) => GET_paid(request);',
    ]) {
      assert.deepEqual(wrapped(statement), ['GET'], statement);
    }
    assert.deepEqual(wrapped('export const HEAD = () => new Response();'), ['HEAD']);
    for (const statement of [
      'export const GET = wrap(GET_impl);',
      'export const OPTIONS = withX402(h);',
      'export let GET;',
      'const GET_other = 1;',
    ]) {
      assert.deepEqual(wrapped(statement), [], statement);
    }
  });
});
