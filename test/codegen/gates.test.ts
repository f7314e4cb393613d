import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRoutes } from '../../src/codegen/index.ts';
import { added, addRefused, removed } from './payments.ts';

const EXPRESS = "import express from 'express';\nconst app = express();\n";
const FASTIFY = "import Fastify from 'fastify';\nconst app = Fastify();\n";
const HONO = "import { Hono } from 'hono';\nconst app = new Hono();\n";

/** The statement that registers the gate, in one line. */
function gate(text: string, start: string): string {
  const from = text.indexOf(start);
  assert.ok(from >= 0, `${start} is not in\n${text}`);
  return text.slice(from, from + 400).replaceAll(/\s+/g, ' ');
}

describe('G1: what the router matches is charged for, however a path is written', () => {
  it('a parameter of Express: the gate is registered with the route’s own method and path', () => {
    const text = added(`${EXPRESS}app.get('/items/:id', (req, res) => {});\n`, "'/items/:id'");
    assert.match(
      gate(text, "app.get(\n  '/items/:id',"),
      /^app\.get\( '\/items\/:id', paymentMiddleware\(/,
    );
    assert.match(text, /'GET \/items\/:id': \{/);
    assert.match(text, /'GET \*\*': \{ accepts: itemsIdTerms \}/);
    assert.doesNotMatch(text, /app\.use\(/);
  });

  it('a wildcard of Express', () => {
    const text = added(`${EXPRESS}app.get('/files/*', (req, res) => {});\n`, "'/files/*'");
    assert.match(text, /app\.get\(\n {2}'\/files\/\*',\n {2}paymentMiddleware\(/);
    assert.match(text, /'GET \*\*'/);
  });

  it('every path of Fastify: its hooks run for the route that was matched', () => {
    for (const path of ['/report', '/items/:id', '/files/*']) {
      const text = added(`${FASTIFY}app.get('${path}', async () => ({}));\n`, `'${path}'`);
      assert.ok(text.includes(`forRoute(app, 'GET', '${path}')`), text);
      assert.match(text, /'GET \*\*': \{ accepts: \w+Terms \}/);
      assert.match(text, /urls\.includes\(url\)/);
    }
  });

  it('a plain path of Express keeps the specified form', () => {
    const text = added(`${EXPRESS}app.get('/report', (req, res) => {});\n`, "'/report'");
    assert.match(text, /app\.use\(\n {2}paymentMiddleware\(/);
    assert.doesNotMatch(text, /GET \*\*/);
  });

  it('unless the app tells upper and lower case or slashes at the end apart', () => {
    for (const setting of [
      "app.enable('case sensitive routing');",
      "app.set('strict routing', true);",
    ]) {
      const text = added(
        `${EXPRESS}${setting}\napp.get('/report', (req, res) => {});\napp.get('/REPORT', h);\n`,
        "'/report'",
      );
      assert.match(text, /app\.get\(\n {2}'\/report',\n {2}paymentMiddleware\(/, setting);
    }
  });

  it('Hono, which runs the handler of GET for HEAD', () => {
    const text = added(`${HONO}app.get('/items/:id', (c) => c.json({}));\n`, "'/items/:id'");
    assert.match(text, /app\.get\(\n {2}'\/items\/:id',\n {2}paymentMiddleware\(/);
    assert.match(text, /if \(c\.req\.method === 'HEAD'\) return c\.body\(null\);/);
  });

  it('lists, regular expressions, `all` and paths from other files are sold', () => {
    for (const call of [
      "get(['/a', '/b'], h)",
      'get(/^\\/re+port$/, h)',
      "all('/any/:x', h)",
      "get('/:id?', h)",
      'get(paths.search, h)',
    ]) {
      const text = added(
        `import { paths } from './paths';\n${EXPRESS}app.${call};\n`,
        `app.${call}`,
      );
      assert.match(text, /'(GET|\*) \*\*'/, call);
      assert.equal(
        removed(text, `app.${call}`),
        `import { paths } from './paths';\n${EXPRESS}app.${call};\n`,
      );
    }
  });
});

describe('G5: a static sibling of a sold parameter stays free and can have its own price', () => {
  const text = `${FASTIFY}app.get('/items/featured', async () => []);\napp.get('/items/:id', async () => ({}));\n`;
  it('in Fastify', () => {
    const once = added(text, "'/items/:id'");
    const [featured, item] = findRoutes({ path: 'src/app.ts', text: once });
    assert.deepEqual([featured?.gated, item?.gated], [undefined, 'marker']);
    const twice = added(once, "'/items/featured'", { price: '2' });
    assert.match(twice, /forRoute\(app, 'GET', '\/items\/featured'\)/);
    assert.equal((twice.match(/paymentMiddleware\(\n/g) ?? []).length, 2);
    assert.equal((twice.match(/const \w*[fF]orRoute = /g) ?? []).length, 1);
    assert.equal(
      removed(removed(twice, "app.get('/items/featured'"), "app.get('/items/:id'"),
      text,
    );
  });

  it('in Express a member of the same chain is not charged for by the next one', () => {
    const chain = `${EXPRESS}app.get('/items/featured', a).get('/items/:id', b);\n`;
    assert.equal(addRefused(chain, "'/items/:id'"), 'order_not_assured');
  });
});

describe('G3: `remove` finds its own payment, whatever stands before the route', () => {
  const route = "  app.get('/x', async () => ({}));\n";
  for (const [name, before] of [
    ['a blank line', '\n'],
    ['two blank lines', '\n\n'],
    ['a blank line with spaces', '   \n'],
    ['a comment set apart', '\n  // Routes\n\n'],
  ] as const) {
    for (const crlf of [false, true]) {
      it(`${name}${crlf ? ', with CRLF' : ''}`, () => {
        const lf = `export default async function plugin(app) {\n  app.decorate('a', 1);\n${before}${route}}\n`;
        const text = crlf ? lf.replaceAll('\n', '\r\n') : lf;
        const source = `import fp from 'fastify-plugin';${crlf ? '\r' : ''}\n${text}`;
        assert.equal(removed(added(source, "'/x'"), "app.get('/x'"), source);
      });
    }
  }
});

describe('G4: what a call is made on is told by imports and the manifest, by names last', () => {
  const found = (text: string, dependencies?: readonly string[]) =>
    findRoutes({ path: 'src/app.ts', text, dependencies }).map(
      ({ framework, refusal }) => `${framework} ${refusal?.code ?? 'sold'}`,
    );

  it('Hono is Hono', () => {
    assert.deepEqual(found(`${HONO}app.get('/x', (c) => c.json({}));`), ['hono sold']);
    assert.deepEqual(
      found("export const add = (app) => app.get('/x', (c) => c.json({}));", ['hono']),
      ['hono sold'],
    );
  });

  it('Koa and hapi are refused by name', () => {
    for (const text of [
      "import Router from '@koa/router'; const router = new Router(); router.get('/x', async (ctx) => {});",
      "const Router = require('koa-router'); const router = new Router(); router.get('/x', (ctx) => {});",
    ]) {
      assert.deepEqual(found(text), ['other framework_not_supported']);
      assert.match(findRoutes({ path: 'a.js', text })[0]?.refusal?.message ?? '', /route of Koa/);
    }
    const hapi =
      "import Hapi from '@hapi/hapi'; const server = Hapi.server(); server.route({ method: 'GET', path: '/x', handler: () => 1 });";
    assert.deepEqual(found(hapi), ['other framework_not_supported']);
    assert.deepEqual(found("router.get('/x', async (ctx) => {});", ['koa']), [
      'other framework_not_supported',
    ]);
  });

  it('`this.route({…})` of a controller is not Fastify’s', () => {
    const text =
      "class C extends Controller { init() { this.route({ method: 'get', url: '/x', handler: this.x }); } }";
    assert.deepEqual(found(text), []);
    assert.deepEqual(found(text, ['express']), []);
  });

  it('a plugin of a Fastify project is Fastify’s, whatever its handler calls its parameters', () => {
    const text = "export default async function (app) { app.get('/x', async (req, res) => ({})); }";
    assert.deepEqual(found(text, ['fastify']), ['fastify sold']);
    assert.deepEqual(found(text, ['express']), ['express sold']);
  });

  it('clients, test drivers and mock servers are not routes', () => {
    for (const text of [
      "import axios from 'axios'; const api = axios.create(); api.post('/users', form);",
      "import { api } from './client'; api.post('/users', form);",
      "import { test } from '@playwright/test'; test('x', async ({ api }) => { await api.get('/x', options); });",
      "import { rest } from 'msw'; rest.get('/x', (req, res, ctx) => res(ctx.json({})));",
      "import request from 'supertest'; request(app).get('/x', (err, res) => {});",
    ]) {
      assert.deepEqual(found(text), [], text);
    }
    assert.deepEqual(found("app.get('/x', (req, res) => {});", ['react', 'axios']), []);
  });

  it('where two servers are possible nothing is written, until somebody says which', () => {
    const text = "export function add(app) { app.get('/x', (req, res) => {}); }";
    const both = ['express', 'fastify'];
    assert.deepEqual(found(text, both), ['other framework_unknown']);
    const [said] = findRoutes({ path: 'a.ts', text, dependencies: both, framework: 'express' });
    assert.deepEqual([said?.framework, said?.refusal], ['express', undefined]);
  });
});
