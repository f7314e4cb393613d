import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addPayment,
  applyEdits,
  deadPayments,
  findRoutes,
  formatterSettings,
  removePayment,
  resolutionProblem,
  routesAtLine,
  routesNamed,
  setPrice,
  soldByProxy,
  sourceInProject,
} from '../../src/codegen/index.ts';
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

describe('G1: every path that the router matches is charged for, however it is written', () => {
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

  it('a wildcard in Express', () => {
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

  it('unless the app distinguishes letter case or trailing slashes', () => {
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
    assert.match(text, /app\.get\(\n {2}'\/items\/:id',\n {2}forRoute\(/);
    assert.match(text, /if \(c\.req\.method === 'HEAD'\) return c\.body\(null\);/);
  });

  it('lists, regular expressions, `all` and paths from other files are sold', () => {
    for (const call of [
      "get(['/a', '/b'], h)",
      'get(/^\\/re+port$/, h)',
      "all('/any/:x', h)",
      "get('/:id?', h)",
      `get(\`\${paths.base}/newest\`, h)`,
      "get(paths.base + '/newest', h)",
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

describe('a payment of Hono does not depend on what the packages match', () => {
  it('the packages are given the path of the route, and asked for its method', () => {
    for (const path of ['/plain', '/items/:id', '/files/*', '/a/:b?', '/deep/:rest{.+}']) {
      const text = `${HONO}app.get('${path}', (c) => c.json({}));\n`;
      const paid = added(text, `'${path}'`);
      assert.match(
        paid,
        /requiresPayment = \(\{ method \}\) => \[method, '\*'\]\.includes\(verb\);/,
      );
      assert.match(paid, /ask\(\{ \.\.\.request, path \}, paywall\)/);
      assert.match(paid, /app\.get\(\n {2}'[^']+',\n {2}forRoute\(\{\n {4}'GET (\/|\*\*)/);
      assert.equal(removed(paid, `app.get('${path}', (c)`), text);
    }
  });

  it('two routes share the function, and the settings stay until the last one is removed', () => {
    const text = `${HONO}app.get('/a/:b', (c) => c.json({}));\napp.post('/c', (c) => c.json({}));\n`;
    const one = added(text, "'/a/:b'");
    const two = added(one, "app.post('/c'");
    assert.equal(two.match(/requiresPayment/g)?.length, 1);
    assert.equal(two.match(/forRoute\(\{/g)?.length, 2);
    assert.equal(removed(two, "app.post('/c', (c)"), one);
    assert.equal(removed(removed(two, "app.get('/a/:b', (c)"), "app.post('/c', (c)"), text);
  });

  it('on Workers the first request creates it, with its own environment', () => {
    const text = `${HONO}app.get('/a/:b', (c) => c.json({}));\nexport default app;\n`;
    const paid = added(text, "'/a/:b'", { runtime: 'workers' });
    assert.doesNotMatch(paid, /process\.env/);
    assert.match(paid, /createPaymentServer = \(environment: \{ FACILITATOR_URL\?: string \}\) =>/);
    assert.match(paid, /const gate = ready \?\? create\(c\.env\);/);
    assert.equal(removed(paid, "app.get('/a/:b', (c)"), text);
    const second = `${paid}app.get('/second', (c) => c.json({}));\n`;
    const both = added(second, "app.get('/second'", { runtime: 'workers' });
    assert.equal(both.match(/createPaymentServer = /g)?.length, 1);
    assert.equal(removed(both, "app.get('/second', (c)"), second);
  });
});

describe('routes of Fastify that its router tells apart by more than method and path are refused', () => {
  const host = (name: string) =>
    `app.get('/h', { constraints: { host: '${name}' } }, async () => ({}));\n`;
  const reason = (text: string, at: string) => addRefused(FASTIFY + text, at);

  it('by host, and so is the one without a constraint beside it', () => {
    const text = `${host('a.example')}app.get('/h', async () => ({ plain: true }));\n`;
    assert.equal(reason(text, "'a.example'"), 'path_not_supported');
    assert.equal(reason(text, 'plain: true'), 'path_not_supported');
  });

  it('by version, in the options of route() and in a constant', () => {
    for (const [text, at] of [
      [
        "app.route({ method: 'GET', url: '/h', constraints: { version: '1.0.0' }, handler });\n",
        'app.route',
      ],
      [
        "const one = { constraints: { version: '1.0.0' } };\napp.get('/h', one, async () => ({}));\n",
        'app.get',
      ],
      ["app.get('/h', one, async () => ({}));\napp.get('/h', two, async () => ({}));\n", 'one,'],
    ] as const) {
      assert.equal(reason(text, at), 'path_not_supported', text);
    }
  });

  it('but not two branches, of which one is registered', () => {
    const text =
      "if (x) app.get('/h', async () => ({}));\nelse app.get('/h', async () => ({ b: 1 }));\napp.get('/i', async () => ({}));\n";
    assert.match(added(FASTIFY + text, "'/i'"), /forRoute\(app, 'GET', '\/i'\)/);
    assert.notEqual(addRefused(FASTIFY + text, "'/h'"), 'path_not_supported');
  });
});

describe('files with forms of their own', () => {
  const path = 'app/api/x/route.ts';

  it('an export with a text as its name is sold, and restored', () => {
    for (const name of ['"GET"', "'GET'"]) {
      const text = `const h = async () => Response.json({});\nexport { h as ${name} };\n`;
      const paid = added(text, name, { path });
      assert.match(paid, /export const GET = withX402/);
      const offset = paid.indexOf('export const GET');
      const result = removePayment({ path, text: paid, offset });
      assert.ok(result.ok);
      assert.equal(applyEdits(paid, result.edits), text);
    }
  });

  it('generated code is refused, and code that speaks of it is not', () => {
    const route = "app.get('/x', (req, res) => res.json({}));\n";
    for (const mark of [
      '// @generated by tool\n',
      '/**\n * @generated\n */\n',
      '#!/usr/bin/env node\n// x\n\n// @generated\n',
    ]) {
      assert.equal(addRefused(mark + EXPRESS + route, "'/x'"), 'unsupported_file', mark);
    }
    assert.equal(addRefused(`${EXPRESS}// @generated\n${route}`, "'/x'"), undefined);
  });
});

describe('a payment whose route is gone is found, and can be removed', () => {
  for (const [framework, head, handler, path] of [
    ['Express', EXPRESS, '(req, res) => res.json({})', '/old'],
    ['Express, by the router', EXPRESS, '(req, res) => res.json({})', '/old/:id'],
    ['Fastify', FASTIFY, 'async () => ({})', '/old'],
    ['Hono', HONO, '(c) => c.json({})', '/old/:id'],
  ] as const) {
    it(framework, () => {
      const text = `${head}app.get('${path}', ${handler});\n`;
      const paid = added(text, `'${path}'`);
      const source = { path: 'src/app.ts', text: paid };
      assert.deepEqual(deadPayments(source), []);
      const renamed = paid.replace(`app.get('${path}', ${handler}`, `app.get('/new', ${handler}`);
      assert.notEqual(renamed, paid);
      const dead = deadPayments({ ...source, text: renamed });
      assert.deepEqual(
        dead.map(({ method, path: at }) => `${method} ${at}`),
        [`GET ${path}`],
      );
      for (const offset of [0, dead[0]?.range.start ?? 0]) {
        const result = removePayment({ path: 'src/app.ts', text: renamed, offset });
        assert.ok(result.ok);
        assert.equal(applyEdits(renamed, result.edits), text.replace(path, '/new'));
      }
    });
  }

  it('one key of several, and the others stay', () => {
    const text = `${EXPRESS}app.get('/a', (q, r) => r.json({}));\napp.get('/b', (q, r) => r.json({}));\n`;
    const one = added(text, "'/a'");
    const both = added(one, "app.get('/b'");
    const renamed = both.replace("app.get('/b', (q", "app.get('/z', (q");
    const dead = deadPayments({ path: 'src/app.ts', text: renamed });
    assert.deepEqual(
      dead.map(({ path }) => path),
      ['/b'],
    );
    const result = removePayment({
      path: 'src/app.ts',
      text: renamed,
      offset: dead[0]?.range.start ?? 0,
    });
    assert.ok(result.ok);
    assert.equal(
      applyEdits(renamed, result.edits),
      one.replace("app.get('/b', (q", "app.get('/z', (q"),
    );
  });

  it('a route that was moved above its payment', () => {
    const route = "app.get('/a', (q, r) => r.json({}));\n";
    const paid = added(EXPRESS + route, "'/a'");
    const moved = paid
      .replace(route, '')
      .replace('// svc-x402: payments', `${route}\n// svc-x402: payments`);
    assert.deepEqual(
      deadPayments({ path: 'src/app.ts', text: moved }).map(({ path }) => path),
      ['/a'],
    );
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

describe('G3: `remove` finds its own payment, whatever precedes the route', () => {
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

describe('G4: a call’s receiver is recognised by imports and the manifest, and only then by names', () => {
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

  it('modules in the forms of Deno are the packages that they name', () => {
    for (const module of [
      'npm:hono@4',
      'jsr:@hono/hono@^4',
      'https://esm.sh/hono@4.6.1',
      'https://deno.land/x/hono@v4.3.11/mod.ts',
    ]) {
      const text = `import { Hono } from '${module}';\nconst app = new Hono();\napp.get('/x', (c) => c.json({}));\n`;
      assert.deepEqual(found(text), ['hono sold'], module);
    }
    for (const module of [
      'jsr:@oak/oak',
      'https://deno.land/x/oak@v17/mod.ts',
      'npm:@oak/oak@17',
    ]) {
      const text = `import { Application, Router } from '${module}';\nconst router = new Router();\nrouter.get('/x', (context) => { context.response.body = 1; });\n`;
      assert.deepEqual(found(text), ['other framework_not_supported'], module);
    }
  });

  it('a class of another file is what that file has it from, and otherwise nothing is written', async () => {
    const read = async (files: Record<string, string>, framework?: 'hono') => {
      const disk = {
        exists: async (path: string) => path in files,
        read: async (path: string) => files[path],
      };
      const { source } = await sourceInProject(
        '/p/main.ts',
        files['/p/main.ts'] ?? '',
        disk,
        framework,
      );
      return findRoutes(source).map(
        ({ framework: of, confidence, refusal }) =>
          `${of} ${confidence} ${refusal?.code ?? 'sold'}`,
      );
    };
    const main = (from: string) =>
      `import { Hono } from '${from}';\nconst app = new Hono();\napp.get('/x', (c) => c.json({}));\napp.get('/y', () => new Response('y'));\n`;
    const sold = ['hono certain sold', 'hono certain sold'];
    const deno = { '/p/deno.json': '{ "imports": { "web": "jsr:@hono/hono@^4" } }' };
    assert.deepEqual(await read({ ...deno, '/p/main.ts': main('web') }), sold);
    assert.deepEqual(
      await read({
        '/p/deno.jsonc': '{ /* mine */ "importMap": "./map.json" }',
        '/p/map.json': '{ "imports": { "web": "https://esm.sh/hono@4" } }',
        '/p/main.ts': main('web'),
      }),
      sold,
    );
    for (const deps of [
      "export { Hono } from 'npm:hono@4';",
      "export * from 'https://deno.land/x/hono@v4.3.11/mod.ts';",
      "import { Hono } from 'jsr:@hono/hono';\nexport { Hono };",
    ]) {
      assert.deepEqual(
        await read({ ...deno, '/p/deps.ts': deps, '/p/main.ts': main('./deps.ts') }),
        sold,
        deps,
      );
    }
    const own = {
      '/p/package.json': '{ "dependencies": { "express": "5" } }',
      '/p/own.ts': 'export class Hono { get() {} }',
      '/p/main.ts': main('./own.ts'),
    };
    assert.deepEqual(
      [...new Set(await read(own))].filter((each) => each.endsWith('sold')),
      [],
    );
    assert.deepEqual(await read(own, 'hono'), ['hono likely sold', 'hono likely sold']);
  });

  it('one variable is not of two frameworks', () => {
    const text =
      "export const add = (app) => {\n  app.get('/a', (req, res) => res.json({}));\n  app.get('/b', (c) => c.json({}));\n};\n";
    assert.ok(
      found(text).every((each) => each.endsWith('framework_unknown')),
      found(text).join(),
    );
  });

  it('servers that no change of code sells are named, with the command of the proxy', () => {
    const proxy = /svc-x402 proxy http:\/\/127\.0\.0\.1:PORT --price 0\.01 --pay-to G…/;
    for (const [name, path, text, dependencies] of [
      ['SvelteKit', 'src/routes/api/+server.ts', 'export const GET = () => new Response();', []],
      [
        'Nitro',
        'server/api/x.get.ts',
        'export default defineEventHandler(() => 1);',
        ['nitropack'],
      ],
      ['h3', 'src/app.ts', "import { eventHandler } from 'h3';\neventHandler(() => 1);", []],
      ['tRPC', 'src/trpc.ts', "import { initTRPC } from '@trpc/server';", []],
      ['GraphQL', 'src/yoga.ts', "import { createYoga } from 'graphql-yoga';", []],
      ['Remix', 'app/routes/x.ts', "import { json } from '@remix-run/node';", []],
      ['Koa', 'src/x.ts', 'export const x = 1;', ['koa']],
      ['NestJS', 'src/x.ts', "import { Injectable } from '@nestjs/common';", []],
    ] as const) {
      const said = soldByProxy({ path, text, dependencies }) ?? '';
      assert.match(said, new RegExp(`This is code of ${name}\\.`), name);
      assert.match(said, proxy);
    }
    for (const [path, text] of [
      ['src/app.ts', EXPRESS],
      ['src/words.ts', "import { initTRPC } from '@trpc/server';\nimport express from 'express';"],
      ['src/math.ts', 'export const x = 1;'],
    ] as const) {
      assert.equal(soldByProxy({ path, text }), undefined);
    }
    const koa = findRoutes({
      path: 'a.js',
      text: "const Router = require('koa-router'); const router = new Router(); router.get('/x', (ctx) => {});",
    });
    assert.match(koa[0]?.refusal?.message ?? '', proxy);
    const pages = findRoutes({
      path: 'pages/api/x.ts',
      text: 'export default (req, res) => res.json({});',
    });
    assert.match(pages[0]?.refusal?.message ?? '', proxy);
    const shared = ['express', '@trpc/server', 'graphql-yoga'];
    const guessed = findRoutes({
      path: 'r.js',
      text: "module.exports = (app) => { app.get('/x', (req, res) => res.json({})); };",
      dependencies: shared,
    });
    assert.deepEqual(
      guessed.map(({ framework, refusal }) => [framework, refusal]),
      [['express', undefined]],
    );
  });

  it('a built-in collection is not a server, whatever its name', () => {
    const text = "const routes = new Map(); routes.get('/x', () => 2);";
    for (const known of [undefined, ['express'], ['express', '@hapi/hapi']]) {
      assert.deepEqual(found(text, known), []);
    }
  });

  it('Fastify calls the path of a full route `path` too', () => {
    const text =
      "export default async (fastify) => { fastify.route({ method: 'GET', path: '/x', handler }); };";
    assert.deepEqual(found(text, ['fastify']), ['fastify sold']);
    assert.deepEqual(found(text, ['express']), []);
    assert.deepEqual(found(text, ['@hapi/hapi']), ['other framework_not_supported']);
  });

  it('routes of Hono that `openapi()` registers are listed, with the reason why they are not sold', () => {
    const list = (text: string, dependencies?: readonly string[]) =>
      findRoutes({ path: 'src/a.ts', text, dependencies }).map(
        ({ method, path, refusal }) => `${method} ${path} ${refusal?.code}`,
      );
    const app =
      "import { createRoute, OpenAPIHono } from '@hono/zod-openapi';\nconst app = new OpenAPIHono();\n";
    assert.deepEqual(
      list(
        `${app}const one = createRoute({ method: 'get', path: '/one/{id}' });\napp.openapi(one, (c) => c.json({}));\n`,
      ),
      ['GET /one/{id} layout_not_supported'],
    );
    assert.deepEqual(
      list(
        "import { createRouter } from './app';\nexport default createRouter().openapi(routes.list, handlers.list);\n",
        ['hono', '@hono/zod-openapi'],
      ),
      ['* routes.list layout_not_supported'],
    );
    // Schemas have a method of that name as well.
    assert.deepEqual(
      list(`${app}const name = z.string().openapi('Name', { example: 'Ada' });\n`),
      [],
    );
    assert.deepEqual(list('x.openapi(a, b);', ['express']), []);
  });

  it('routes of Hono that `on()` registers are listed, with the reason why they are not sold', () => {
    const list = (text: string, dependencies?: readonly string[]) =>
      findRoutes({ path: 'src/a.ts', text, dependencies }).map(
        ({ framework, method, path, refusal }) => `${framework} ${method} ${path} ${refusal?.code}`,
      );
    const app = "import { Hono } from 'hono';\nconst app = new Hono();\n";
    assert.deepEqual(
      list(`${app}app.on(['POST', 'GET'], '/auth/*', (c) => auth.handler(c.req.raw));\n`),
      ['hono * /auth/* several_methods'],
    );
    assert.deepEqual(
      list(
        "import { Hono } from 'hono';\nexport const auth = new Hono().on(['POST', 'GET'], '/**', answer);\n",
      ),
      ['hono * /** several_methods'],
    );
    assert.deepEqual(
      list(`${app}app.on('get', '/one', answer);\napp.on(['PUT'], ['/two', '/three'], answer);\n`),
      ['hono GET /one layout_not_supported', "hono PUT ['/two', '/three'] layout_not_supported"],
    );
    assert.deepEqual(list(`${app}app.on('PURGE', '/cache', answer);\n`), [
      'hono PURGE /cache method_not_sellable',
    ]);
    assert.deepEqual(
      list(`${app}const both = ['GET', 'POST'] as const;\napp.on(both, '/x', answer);\n`),
      ['hono * /x several_methods'],
    );
    assert.deepEqual(list(`${app}app.on('ALL', '/any', answer);\n`), [
      'hono * /any layout_not_supported',
    ]);
    // Handed in: only the names of methods show that it is not an emitter of events.
    const given = (call: string) => `export function routes(app) {\n  ${call};\n}\n`;
    assert.deepEqual(list(given("app.on(['GET', 'POST'], '/x', answer)"), ['hono']), [
      'hono * /x several_methods',
    ]);
    for (const none of [
      "app.on('error', '/x', answer)",
      "app.on(['GET'], (c) => c.text('x'))",
      "app.on(event, '/x', answer)",
    ]) {
      assert.deepEqual(list(given(none), ['hono']), [], none);
    }
    assert.deepEqual(list(given("app.on('GET', '/x', answer)"), ['express']), []);
    assert.deepEqual(
      list(
        "const app = express();\nimport express from 'express';\napp.on('GET', '/x', answer);\n",
        ['hono', 'express'],
      ),
      [],
    );
    // What follows in the chain is found as before.
    assert.deepEqual(
      list(
        "import { Hono } from 'hono';\nexport default new Hono().on('GET', '/a', answer).get('/b', answer).on('GET', '/c', answer);\n",
      ).map((said) => said.split(' ')[2]),
      ['/a', '/b', '/c'],
    );
  });

  it('handlers spread from a list belong to the route', () => {
    const text = (call: string) =>
      `import { factory } from '../app';\nconst userRoute = factory.createApp();\nconst mine = factory.createHandlers(async (c) => c.json({}));\n${call};\n`;
    const paths = (call: string, dependencies: readonly string[]) =>
      findRoutes({ path: 'src/a.ts', text: text(call), dependencies }).map(
        ({ framework, method, path }) => `${framework} ${method} ${path}`,
      );
    assert.deepEqual(paths("userRoute.get('/me', ...mine)", ['hono']), ['hono GET /me']);
    assert.deepEqual(paths("userRoute.post('/me', ...others)", ['hono']), ['hono POST /me']);
    assert.deepEqual(paths("userRoute.post('/me', ...lists.others)", ['express']), [
      'express POST /me',
    ]);
    // A client takes a body, and another list is not a list of handlers.
    assert.deepEqual(paths("api.post('/me', ...others)", ['hono']), []);
    assert.deepEqual(paths("names.get('/me', ...others)", ['hono']), []);
    assert.deepEqual(paths("userRoute.get('/me', ...mine)", ['react']), []);
  });

  it('classes that chanfana registers are listed if the file does not show the origin of the server', () => {
    const list = (call: string, dependencies: readonly string[]) =>
      findRoutes({
        path: 'src/index.ts',
        text: `import { createApp, createOpenApi } from './app';\nimport { Login } from './login';\nconst app = createApp();\nconst openapi = createOpenApi(app);\n${call};\n`,
        dependencies,
      }).map(({ framework, path, refusal }) => `${framework} ${path} ${refusal?.code}`);
    assert.deepEqual(list("openapi.post('/login', Login)", ['hono', 'chanfana']), [
      'other /login framework_not_supported',
    ]);
    assert.deepEqual(list("openapi.post('/login', Login)", ['hono']), []);
    assert.deepEqual(list("openapi.post('/login', body)", ['hono', 'chanfana']), []);
    assert.deepEqual(list("openapi.post('/login', Login, more)", ['hono', 'chanfana']), []);
    assert.deepEqual(list("app.get('/', (c) => c.text('x'))", ['hono', 'chanfana']), [
      'hono / undefined',
    ]);
  });

  it('a plugin in a plugin is Fastify’s, whatever its parameter is called', () => {
    const text =
      "export default async (app) => { app.register(async (v1) => { v1.get('/x', async () => 1); }); };";
    assert.deepEqual(found(text, ['fastify']), ['fastify sold']);
    assert.deepEqual(found(text, ['express']), []);
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

  it('a method of the class itself is not one of Express, whatever its handler is called', () => {
    for (const text of [
      "class C extends Controller { constructor() { super(); this.get('/x', async (_req, res) => {}); } }",
      "class C { get(path, h) {} init() { this.get('/x', (req, res) => {}); } }",
    ]) {
      assert.deepEqual(found(text, ['express']), ['other layout_not_supported'], text);
      const [said] = findRoutes({ path: 'a.ts', text, framework: 'express' });
      assert.equal(said?.refusal?.code, 'layout_not_supported');
    }
    const own = "class C { init() { this.app.get('/x', (req, res) => {}); } }";
    assert.deepEqual(found(own, ['express']), ['express sold']);
  });

  it('if two servers are possible, nothing is written until the user names one', () => {
    const text = "export function add(app) { app.get('/x', (req, res) => {}); }";
    const both = ['express', 'fastify'];
    assert.deepEqual(found(text, both), ['other framework_unknown']);
    const [said] = findRoutes({ path: 'a.ts', text, dependencies: both, framework: 'express' });
    assert.deepEqual([said?.framework, said?.refusal], ['express', undefined]);
  });
});

describe('G2: a line names the route whose call is on it, or no route', () => {
  const text = `const app = require('express')();
app.get('/first', (req, res) => {});
const registered = app.post(
  '/second',
  (req, res) => {
    res.json({});
  },
);
if (prod) app.get('/third', (req, res) => {});

module.exports = app.get('/fourth', (req, res) => {}); app.get('/fifth', (req, res) => {});
app
  .route('/sixth')
  .get((req, res) => {});
`;
  const routes = findRoutes({ path: 'a.js', text });
  const at = (line: number, column?: number) =>
    routesAtLine(text, routes, line, column)?.map(({ path }) => path);

  it('where the call does not begin its line', () => {
    assert.deepEqual(at(3), ['/second']);
    assert.deepEqual(at(9), ['/third']);
  });

  it('on any line of the call', () => {
    for (const line of [3, 4, 5, 6, 7, 8]) assert.deepEqual(at(line), ['/second'], String(line));
    for (const line of [12, 13, 14]) assert.deepEqual(at(line), ['/sixth'], String(line));
  });

  it('several on a line are distinguished by column', () => {
    assert.deepEqual(at(11), ['/fourth', '/fifth']);
    assert.deepEqual(at(11, 60), ['/fifth']);
    assert.deepEqual(at(11, 20), ['/fourth']);
  });

  it('a line without a route names none, nor does one past the end', () => {
    assert.deepEqual(at(1), []);
    assert.deepEqual(at(10), []);
    assert.equal(at(99), undefined);
    assert.equal(at(2, 999), undefined);
  });

  it('a route can also be named by method and path', () => {
    const named = (name: string) => routesNamed(routes, name).map(({ path }) => path);
    assert.deepEqual(named('POST /second'), ['/second']);
    assert.deepEqual(named('get /second'), []);
    assert.deepEqual(named('/sixth/'), ['/sixth']);
  });
});

describe('G8: common forms are found and sold', () => {
  const routes =
    "const { authJwt } = require('../middleware');\nconst controller = require('./user.controller');\n";
  const given = (call: string) => `${routes}module.exports = function (app) {\n  ${call};\n};\n`;

  it('lists of middleware, in a file that names neither framework nor parameters', () => {
    for (const call of [
      "app.get('/user', [authJwt.verify], controller.board)",
      "app.get('/mod', [authJwt.verify, authJwt.isMod], controller.board)",
      "app.post('/all', [authJwt.verify, check('name')], [audit, controller.board])",
    ]) {
      const found = findRoutes({
        path: 'app/routes.js',
        text: given(call),
        dependencies: ['express'],
      });
      assert.deepEqual(
        found.map(({ framework, refusal }) => [framework, refusal]),
        [['express', undefined]],
        call,
      );
      const more = { path: 'app/routes.js', dependencies: ['express'] };
      assert.equal(removed(added(given(call), 'app.', more), 'app.', more.path), given(call));
    }
  });

  it('options of a Fastify route, in a JavaScript plugin whose handlers are elsewhere', () => {
    const path = 'src/users.routes.js';
    const plugin = (call: string) =>
      `import * as users from './users.controller.js';\nexport default async function (fastify) {\n  ${call};\n}\n`;
    const foundIn = (call: string, ...dependencies: readonly string[]) =>
      findRoutes({ path, text: plugin(call), dependencies }).map(
        ({ framework, method }) => `${framework} ${method}`,
      );
    for (const call of [
      "fastify.get('/users', { preHandler: [users.signedIn], schema: users.listSchema }, users.list)",
      "fastify.get('/users', { ...users.options, config: { rateLimit: { max: 5 } } }, users.list)",
      "fastify.get('/users', { schema: { querystring: { type: 'object' } }, handler: users.list })",
      "fastify.get('/users', { onRequest: fastify.signedIn }, (...all) => users.list(...all))",
    ]) {
      assert.deepEqual(foundIn(call, 'fastify'), ['fastify GET'], call);
      const more = { path, dependencies: ['fastify'] };
      const sold = added(plugin(call), 'fastify.get', more);
      assert.equal(removed(sold, "fastify.get('/users'", path, ['fastify']), plugin(call));
    }
    for (const call of [
      "fastify.get('/users', { schema: users.listSchema })",
      "fastify.post('/users', { name: 'Ada' }, done)",
      "fastify.post('/users', {}, done)",
      "api.post('/users', { schema: users.listSchema }, users.list)",
    ]) {
      assert.deepEqual(foundIn(call, 'fastify'), [], call);
    }
    const call = "app.get('/users', { schema: users.listSchema }, users.list)";
    assert.deepEqual(foundIn(call, 'express'), []);
  });

  it('but not lists of data', () => {
    for (const call of [
      "app.post('/x', [1, 2])",
      "app.put('/x', [{ id: 1 }])",
      "app.post('/x', ['a'], done)",
    ]) {
      assert.deepEqual(
        findRoutes({ path: 'app/a.js', text: given(call), dependencies: ['express'] }),
        [],
        call,
      );
    }
  });

  it('chains on an unnamed router, and ones with their own types', () => {
    const chain =
      "import { Router } from 'express';\nexport default Router().post('/a', (req, res) => {});\n";
    const [only] = findRoutes({ path: 'src/a.ts', text: chain });
    assert.deepEqual([only?.method, only?.path], ['POST', '/a']);
    const typed = `${FASTIFY}app.withTypeProvider<T>().route({ method: 'GET', url: '/a', handler: async () => ({}) });\n`;
    assert.match(added(typed, 'app.withType'), /forRoute\(app, 'GET', '\/a'\)/);
  });
});

describe('G8: methods that a Next.js file exports together are sold one by one', () => {
  const path = 'app/api/x/[id]/route.ts';
  for (const [name, text, methods] of [
    [
      'a handler of the file under two names',
      'const handler = NextAuth(options);\n\nexport { handler as GET, handler as POST };\n',
      ['handler as GET', 'handler as POST'],
    ],
    [
      'on several lines',
      'const a = make();\nexport {\n  a as GET,\n  a as PUT,\n  other,\n};\n',
      ['a as PUT', 'a as GET'],
    ],
    [
      'of another file',
      "export { GET, create as POST } from './handlers';\n",
      ['GET', 'create as POST'],
    ],
    [
      'taken out of an object',
      "import { handlers } from '@/auth';\nexport const { GET, POST } = handlers;\n",
      ['GET', 'POST'],
    ],
    [
      'taken out of a member, under another name',
      "import auth from '@/auth';\nexport const { read: GET } = auth.handlers;\n",
      ['read: GET'],
    ],
  ] as const) {
    it(name, () => {
      let paid: string = text;
      for (const at of methods) {
        paid = added(paid, at, { path });
        const method = /(GET|POST|PUT)$/.exec(at)?.[0] ?? '';
        assert.match(paid, new RegExp(`export const ${method} = `));
        const routes = findRoutes({ path, text: paid });
        assert.deepEqual(
          routes.filter((route) => route.method === method).map(({ gated }) => gated),
          ['marker'],
          paid,
        );
      }
      const left = methods.reduceRight(
        (now, at) => removed(now, `export const ${/(GET|POST|PUT)$/.exec(at)?.[0]} = `, path),
        paid,
      );
      assert.equal(left, text);
      // In the other order as well.
      const other = methods.reduce(
        (now, at) => removed(now, `export const ${/(GET|POST|PUT)$/.exec(at)?.[0]} = `, path),
        paid,
      );
      assert.equal(other, text);
    });
  }

  it('in a file that also registers lists and expressions, which are not keys of the middleware', () => {
    const text = `${EXPRESS}app.get(['/colour', '/color'], h);\napp.get(/^\\/(re|[a-z)d]$/, h);\napp.get('/plain', h);\n`;
    assert.match(added(text, "'/plain'"), /'GET \/plain': \{/);
  });

  it('but not under a name that the file already uses', () => {
    for (const text of [
      'async function GET() {\n  return Response.json({});\n}\nexport { GET };\n',
      "import { GET } from './handlers';\nexport { GET, other };\n",
      'const GET = 1;\nconst handler = make();\nexport { handler as GET };\n',
    ]) {
      const result = addRefused(text, text.includes('as GET') ? 'handler as GET' : 'GET', { path });
      const at = text.lastIndexOf('GET');
      assert.equal(
        result ?? addRefused(text, text.slice(at - 9), { path }),
        'layout_not_supported',
      );
    }
  });

  it('but not out of a call, which must not run twice, nor beside a rest', () => {
    for (const text of [
      'export const { GET, POST } = createHandler(app);\n',
      'export const { GET, ...rest } = handlers;\n',
      'export const { GET = fallback } = handlers;\n',
    ]) {
      assert.equal(addRefused(text, 'GET', { path }), 'layout_not_supported', text);
    }
  });
});

describe('a price is changed in place, and the user’s code around it stays', () => {
  for (const [name, text, at] of [
    ['Express, a plain path', `${EXPRESS}app.get('/x', (req, res) => {});\n`, "app.get('/x'"],
    [
      'Express, a parameter',
      `${EXPRESS}app.get('/x/:id', (req, res) => {});\n`,
      "app.get('/x/:id'",
    ],
    ['Fastify', `${FASTIFY}app.get('/x', async () => ({}));\n`, "app.get('/x'"],
    ['Hono', `${HONO}app.get('/x', (c) => c.json({}));\n`, "app.get('/x', (c)"],
  ] as const) {
    it(name, () => {
      const edited = added(text, at).replace(/description: '[^']*'/, "description: 'Mine'");
      const result = setPrice({
        path: 'src/app.ts',
        text: edited,
        offset: edited.lastIndexOf(at),
        price: '2.5',
      });
      assert.ok(result.ok, result.ok ? '' : result.refusal.message);
      assert.equal(
        applyEdits(edited, result.edits),
        edited.replace("price: '$0.01'", "price: '$2.5'"),
      );
    });
  }

  it('a price above any balance is refused, also by add', () => {
    assert.equal(
      addRefused(`${EXPRESS}app.get('/x', h);\n`, "'/x'", { price: '99999999999999999999' }),
      'invalid_price',
    );
    assert.equal(
      addRefused(`${EXPRESS}app.get('/x', h);\n`, "'/x'", { price: '922337203685.4775808' }),
      'invalid_price',
    );
    added(`${EXPRESS}app.get('/x', h);\n`, "'/x'", { price: '922337203685.4775807' });
  });
});

describe('D1: the issuer of USDC cannot be paid in USDC', () => {
  it('and is refused', () => {
    const issuer = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';
    assert.equal(
      addRefused(`${EXPRESS}app.get('/x', h);\n`, "'/x'", { payTo: issuer }),
      'invalid_pay_to',
    );
  });
});

describe('no new type errors if TypeScript does not know the app’s type', () => {
  const text =
    "export const add = (name: string, args: any) => {\n  args.app.get('/x', (req: any, res: any) => res.end());\n};\n";
  it('the parameters of the HEAD route have types of their own', () => {
    const more = { dependencies: ['express'] };
    assert.match(added(text, 'args.app.get', more), /\(_req: any, res: any\) => \{/);
    assert.match(
      added(`${EXPRESS}app.get('/x', h);\n`, "'/x'"),
      /app\.head\('\/x', \(_req, res\) => \{/,
    );
    const script = { dependencies: ['express'], path: 'src/app.js' };
    assert.match(
      added(
        "module.exports = (app) => {\n  app.get('/x', (req, res) => res.end());\n};\n",
        'app.get',
        script,
      ),
      /\(_req, res\) => \{/,
    );
  });
});

describe('D10: code and messages name no editor setting', () => {
  it('in notes, code and refusals', () => {
    for (const [path, text, at] of [
      ['src/app.ts', `${EXPRESS}app.get('/x/:id', h);\n`, "'/x/:id'"],
      ['src/app.ts', `${FASTIFY}app.get('/x', h);\n`, "'/x'"],
      ['src/app.ts', `${HONO}app.get('/x', h);\n`, "'/x'"],
      [
        'app/api/x/route.ts',
        'export async function GET() {\n  return Response.json({});\n}\n',
        'GET',
      ],
    ] as const) {
      const terms = { price: '1', facilitatorUrl: 'http://127.0.0.1:4021', nextVersion: '16.2.6' };
      const given = { ...terms, path, text, offset: text.indexOf(at) };
      const payTo = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
      const result = addPayment({ ...given, payTo });
      assert.ok(result.ok);
      const without = addPayment({ ...given, payTo: '' });
      const said = [
        ...result.notes.map(({ sentence }) => sentence),
        applyEdits(text, result.edits),
        without.ok ? '' : without.refusal.message,
      ].join('\n');
      assert.doesNotMatch(said, /svc-x402\.[a-z]|\bthe setting\b|payToAddress setting/i);
    }
  });
});

describe('versions that an adapter does not support are refused', () => {
  it('Fastify 4, because the adapter requires 5', () => {
    const text = `${FASTIFY}app.get('/x', async () => ({}));\n`;
    for (const version of ['4.29.1', '^4.0.0']) {
      assert.equal(
        addRefused(text, "'/x'", { versions: { fastify: version } }),
        'framework_version',
      );
    }
    added(text, "'/x'", { versions: { fastify: '5.12.8' } });
    added(text, "'/x'", { versions: { fastify: 'latest' } });
  });
});

describe('code nested thousands deep is refused in a sentence', () => {
  it('20,000 brackets', () => {
    const text = `${EXPRESS}app.get('/x', h);\nconst deep = ${'['.repeat(20_000)}${']'.repeat(20_000)};\n`;
    assert.equal(addRefused(text, "'/x'"), 'unsupported_file');
    assert.deepEqual(findRoutes({ path: 'a.js', text }), []);
  });
});

describe('G9: the settings of the project’s formatter are followed', () => {
  const written = async (files: Readonly<Record<string, string>>) => {
    const formatter = await formatterSettings('/p/src/app.ts', {
      exists: async (path) => path in files,
      read: async (path) => files[path],
    });
    return added(`${EXPRESS}app.get('/x', h);\n`, "'/x'", { formatter });
  };

  it('.prettierrc as JSON or YAML, with overrides', async () => {
    const text = await written({ '/p/.prettierrc': '{ "semi": false, "tabWidth": 4 }' });
    assert.match(text, /import \{ HTTPFacilitatorClient \} from "@x402\/core\/server"\n/);
    assert.match(text, /\n {4}paymentMiddleware\(/);
    const yaml = await written({
      '/p/.prettierrc':
        "singleQuote: true\noverrides:\n  - files: '*.ts'\n    options:\n      trailingComma: none\n",
    });
    assert.match(yaml, /maxTimeoutSeconds: 60\n/);
  });

  it('settings in scripts, JSON5, TOML and packages are read as data, and nothing is run', async () => {
    const four = /\n {4}paymentMiddleware\(/;
    for (const [name, text] of [
      ['.prettierrc.js', "// mine\nmodule.exports = { tabWidth: 4, plugins: [require('x')] };"],
      [
        'prettier.config.mjs',
        '/** @type {import("prettier").Config} */\nexport default { tabWidth: 4 };',
      ],
      [
        'prettier.config.ts',
        'const config = { tabWidth: 4 } satisfies Config;\nexport default config;',
      ],
      [
        '.prettierrc.cjs',
        'process.exit(1); module.exports = defineConfig({ tabWidth: 2 + 2 - 0, ...more, tabWidth: 4 });',
      ],
      ['.prettierrc.json5', '{ tabWidth: 4, /* mine */ semi: true, }'],
      ['.prettierrc.toml', '# mine\ntabWidth = 4\n[[overrides]]\ntabWidth = 8\n'],
      ['package.json', '{ "prettier": { "tabWidth": 4 } }'],
    ] as const) {
      assert.match(await written({ [`/p/${name}`]: text }), four, name);
    }
    const shared = {
      '/p/package.json': '{ "prettier": "@acme/style" }',
      '/p/node_modules/@acme/style/package.json': '{ "main": "./lib/main.js" }',
      '/p/node_modules/@acme/style/lib/main.js': 'module.exports = { tabWidth: 4 };',
    };
    assert.match(await written(shared), four);
    const outside = { ...shared, '/p/package.json': '{ "prettier": "../../etc/style" }' };
    assert.doesNotMatch(await written(outside), four);
  });

  it('EditorConfig’s settings apply if Prettier’s file does not set them', async () => {
    const text = await written({
      '/p/.editorconfig':
        'root = true\n[*]\nindent_style = space\nindent_size = 4\nmax_line_length = 200\n',
      '/p/.prettierrc': 'singleQuote: true\n',
    });
    assert.match(text, /\n {4}paymentMiddleware\(/);
    assert.match(text, /new x402ResourceServer\(facilitatorClient\)\.register\(/);
  });

  it('a string that is too long for its line moves to the next one', async () => {
    const formatter = { width: 80 };
    const long = `/** Gives a long story ${'of the weather '.repeat(6)}here. */\napp.get('/x', h);\n`;
    const text = added(`${EXPRESS}${long}`, "'/x'", { formatter });
    assert.match(text, /\n( *)description:\n\1 {2}'Gives a long story/);
    assert.equal(removed(text, "app.get('/x', h"), `${EXPRESS}${long}`);
    assert.match(
      added(`${EXPRESS}/** Short. */\napp.get('/x', h);\n`, "'/x'"),
      /description: 'Short\.'/,
    );
  });

  it('letters of two columns count as two', () => {
    const wide = `/** Tells ${'\u5929\u6c14'.repeat(17)} here. */\napp.get('/x', h);\n`;
    const text = added(`${EXPRESS}${wide}`, "'/x'", { formatter: { width: 80 } });
    assert.match(text, /\n( *)description:\n\1 {2}'Tells \u5929/);
  });

  it('a project that runs Prettier without settings has its defaults', async () => {
    const prettier = '"devDependencies": { "prettier": "3.4.2" }';
    const run = `{ ${prettier}, "scripts": { "lint": "prettier --check ." } }`;
    const text = await written({
      '/p/package.json': run,
      '/p/.editorconfig': 'root = true\n[*]\nindent_style = space\nindent_size = 4\n',
    });
    assert.match(text, /from "@x402\/core\/server"/);
    assert.match(text, /\n {4}paymentMiddleware\(/);
    // Elsewhere its settings may be those of ESLint, or come with the command.
    for (const manifest of [
      `{ ${prettier} }`,
      `{ ${prettier}, "scripts": { "lint": "prettier --check . --single-quote" } }`,
      '{ "scripts": { "lint": "prettier --check ." } }',
    ]) {
      assert.match(await written({ '/p/package.json': manifest }), /from '@x402\/core\/server'/);
    }
  });

  it('biome.json and .editorconfig', async () => {
    const biome = await written({
      '/p/biome.json': '{ "javascript": { "formatter": { "quoteStyle": "single" } } }',
    });
    assert.match(biome, /\n\tpaymentMiddleware\(/);
    const editor = await written({
      '/p/.editorconfig': 'root = true\n[*.{js,ts}]\nindent_style = tab\n',
    });
    assert.match(editor, /\n\tpaymentMiddleware\(/);
  });

  it('a hostile one is ignored', async () => {
    for (const text of ['{', '&a [*a]', '7', `${'{a: '.repeat(5_000)}1${'}'.repeat(5_000)}`]) {
      assert.match(await written({ '/p/.prettierrc': text }), /paymentMiddleware/);
    }
  });
});

describe('G9: the time to find routes is linear in their number', () => {
  const registered = (count: number, line: (at: number) => string, more = '') =>
    `import express from 'express';\nclass Shop {\n  app = express();\n  constructor() {\n${Array.from({ length: count }, (_, at) => line(at)).join('\n')}\n  }\n${more}}\n`;
  const inPlace = (count: number) =>
    registered(
      count,
      (at) => `    this.app.get('/r${at}', async (req, res) => { res.json({ at: ${at} }); });`,
    );
  const bound = (count: number) =>
    registered(
      count,
      (at) => `    this.app.get('/r${at}/:id', this.h${at}.bind(this));`,
      Array.from(
        { length: count },
        (_, at) => `  async h${at}(req, res) { res.json(${at}); }\n`,
      ).join(''),
    );
  /** The least time of the processor that a search took, in milliseconds: others use it too. */
  const taken = (text: string, count: number): number => {
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 6; round += 1) {
      const start = process.cpuUsage();
      assert.equal(findRoutes({ path: 'src/shop.ts', text }).length, count);
      const { user, system } = process.cpuUsage(start);
      least = Math.min(least, (user + system) / 1_000);
    }
    return least;
  };

  for (const [name, text] of [
    ['handlers in place', inPlace],
    ['methods of the class', bound],
  ] as const) {
    it(`400 routes of a class cost about eight times as much as 50: ${name}`, () => {
      taken(text(400), 400);
      const few = taken(text(50), 50);
      const time = taken(text(400), 400);
      // About 10 times on a warm engine; 64 times if each route searched the class.
      assert.ok(time < 25 * few && time < 800, `${time.toFixed(1)} ms, 50 in ${few.toFixed(1)} ms`);
    });

    it(`the text around them is searched once, not once for each route: ${name}`, () => {
      const long = `/*\n${'Words of a licence. '.repeat(60_000)}*/\n${text(400)}`;
      const time = taken(long, 400);
      const alone = taken(text(400), 400);
      assert.ok(time < 5 * alone, `${time.toFixed(1)} ms, ${alone.toFixed(1)} ms without it`);
    });
  }
});

describe('G6: TypeScript settings that cannot find the packages are reported in advance, with the line', () => {
  const problem = (files: Readonly<Record<string, string>>) =>
    resolutionProblem('/p/src/app.ts', {
      exists: async (path) => path in files,
      read: async (path) => files[path],
    });
  const config = (options: object) => ({
    '/p/package.json': '{}',
    '/p/tsconfig.json': JSON.stringify({ compilerOptions: options }, undefined, 2),
  });

  it('node, node10, and the default with CommonJS', async () => {
    const found = await problem(config({ module: 'CommonJS', moduleResolution: 'Node' }));
    assert.deepEqual(found, {
      path: '/p/tsconfig.json',
      line: 4,
      now: 'node10',
      change: '"module": "node16", "moduleResolution": "node16"',
    });
    assert.equal((await problem(config({ module: 'commonjs' })))?.now, 'node10');
    assert.equal(
      (await problem(config({ module: 'esnext', moduleResolution: 'node' })))?.change,
      '"moduleResolution": "bundler"',
    );
  });

  it('through `extends`', async () => {
    const files = {
      '/p/package.json': '{}',
      '/p/tsconfig.json': '{ // mine\n "extends": "./base.json" }',
      '/p/base.json': '{ "compilerOptions": { "moduleResolution": "node" } }',
    };
    assert.equal((await problem(files))?.now, 'node10');
    // In a circle it ends.
    await problem({ ...files, '/p/base.json': '{ "extends": "./tsconfig.json" }' });
  });

  it('a project that the settings refer to decides, if they take no files themselves', async () => {
    const files = (resolution: string) => ({
      '/p/package.json': '{}',
      '/p/tsconfig.json':
        '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./tsconfig.node.json" }] }',
      '/p/tsconfig.app.json': `{ "compilerOptions": { "moduleResolution": "${resolution}" }, "include": ["src"] }`,
      '/p/tsconfig.node.json':
        '{ "compilerOptions": { "moduleResolution": "node" }, "include": ["vite.config.ts"] }',
    });
    assert.equal(await problem(files('bundler')), undefined);
    assert.equal((await problem(files('node')))?.path, '/p/tsconfig.app.json');
  });

  it('`extends` of a package, by its exports and by "tsconfig" of its manifest', async () => {
    const shared = '{ "compilerOptions": { "module": "nodenext" } }';
    for (const [base, manifest, file] of [
      ['@acme/ts', '{ "exports": { ".": "./config.json" } }', 'config.json'],
      ['@acme/ts/base', '{ "exports": { "./base": { "default": "./b.json" } } }', 'b.json'],
      ['@acme/ts/lib.json', '{ "exports": { "./*": "./configs/*" } }', 'configs/lib.json'],
      ['@acme/ts', '{ "tsconfig": "node.json" }', 'node.json'],
    ] as const) {
      const files = {
        '/p/package.json': '{}',
        '/p/tsconfig.json': `{ "extends": "${base}" }`,
        '/p/node_modules/@acme/ts/package.json': manifest,
        [`/p/node_modules/@acme/ts/${file}`]: shared,
      };
      assert.equal(await problem(files), undefined, base);
      const old = {
        ...files,
        [`/p/node_modules/@acme/ts/${file}`]: shared.replace('nodenext', 'commonjs'),
      };
      assert.equal((await problem(old))?.now, 'node10', base);
    }
  });

  it('settings of a package that is not installed are not judged', async () => {
    const files = { '/p/package.json': '{}', '/p/tsconfig.json': '{ "extends": "@acme/ts" }' };
    assert.equal(await problem(files), undefined);
    const own = '{ "extends": "@acme/ts", "compilerOptions": { "moduleResolution": "node" } }';
    assert.equal((await problem({ ...files, '/p/tsconfig.json': own }))?.now, 'node10');
  });

  it('TypeScript 6 and 7 find the packages by default, and 5 does not', async () => {
    for (const options of [{}, { module: 'commonjs' }, { target: 'es5' }]) {
      for (const [version, now] of [
        ['5.9.3', 'node10'],
        ['6.0.0', undefined],
        ['7.0.0', undefined],
      ]) {
        const files = {
          ...config(options),
          '/p/node_modules/typescript/package.json': `{ "version": "${version}" }`,
        };
        assert.equal((await problem(files))?.now, now, `${version} ${JSON.stringify(options)}`);
        const asked = {
          ...config(options),
          '/p/package.json': `{ "devDependencies": { "typescript": "^${version}" } }`,
        };
        assert.equal((await problem(asked))?.now, now);
      }
    }
  });

  it('others are fine, and so is JavaScript', async () => {
    for (const moduleResolution of ['bundler', 'node16', 'nodenext']) {
      assert.equal(await problem(config({ moduleResolution })), undefined);
    }
    assert.equal(
      await resolutionProblem('/p/a.js', { exists: async () => true, read: async () => '{}' }),
      undefined,
    );
  });
});
