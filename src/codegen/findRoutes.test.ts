import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRoutes, readRoutes } from './findRoutes.ts';
import type { Route } from './routes/route.ts';
import { routeAt } from './routes/selectRoute.ts';

const said = (text: string, path = 'src/app.ts') =>
  findRoutes({ path, text }).map(({ framework, method, path }) => `${framework} ${method} ${path}`);

describe('routes of a file are in the order of its text', () => {
  it('whatever makes them', () => {
    const text = `import express from 'express';
import { Get } from '@nestjs/common';
class C { @Get('b') list() {} }
const app = express();
app.get('/a', (req, res) => {});
app.route('/c').get(h);
app.post('/d', (req, res) => {});
`;
    assert.deepEqual(said(text), [
      'decorators GET /b',
      'express GET /a',
      'express GET /c',
      'express POST /d',
    ]);
  });

  it('a route exposes no syntax tree nodes', () => {
    const text = "app.get('/x', (req, res) => {});";
    const [route] = findRoutes({ path: 'a.js', text });
    assert.deepEqual(Object.keys(route ?? {}).sort(), [
      'call',
      'confidence',
      'framework',
      'gated',
      'handler',
      'method',
      'params',
      'path',
      'range',
      'refusal',
    ]);
    assert.ok(readRoutes({ path: 'a.js', text }).routes[0]?.handlerNode);
  });
});

describe('files other than JavaScript and TypeScript have no routes', () => {
  const text = "app.get('/x', (req, res) => {});";
  for (const extension of ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx']) {
    it(`.${extension} can have some`, () => assert.equal(said(text, `a.${extension}`).length, 1));
  }
  for (const path of ['a.py', 'a.json', 'a.d.ts', 'a.d.mts', 'a', 'a.ts.txt', 'a.jsxx']) {
    it(`${path} has none`, () => assert.deepEqual(said(text, path), []));
  }
});

describe('every form of a route is detected in the text', () => {
  for (const text of [
    "app.get('/x', (req, res) => {});",
    "app\n  .post('/x', (req, res) => {});",
    "app.get<Q>('/x', (req, res) => {});",
    "app. delete ('/x', (req, res) => {});",
    "app.all('/x', (req, res) => {});",
    "app.options('/x', (req, res) => {});",
    "app.head('/x', (req, res) => {});",
    "app.put('/x', (req, res) => {});",
    "app.patch('/x', (req, res) => {});",
    "app.route({ method: 'GET', url: '/x', handler() {} });",
    "import { GET } from 'fastify-decorators'; class C { @GET('/x') m() {} }",
  ]) {
    it(text, () => assert.equal(said(text).length, 1));
  }

  it('a file of Next.js by its place', () => {
    assert.deepEqual(said('export const GET = h;', 'app/x/route.ts'), ['next-app GET /x']);
    assert.deepEqual(said('export const GET = h;', '\\app\\x\\route.js'), ['next-app GET /x']);
    assert.deepEqual(said('export default h;', 'pages/api/x.js'), ['next-pages * /api/x']);
    assert.deepEqual(said('export default h;', 'src\\pages\\api\\x.js'), ['next-pages * /api/x']);
    assert.deepEqual(said('export const GET = h;', 'src/app.ts'), []);
  });
});

describe('the line of a marked block that answers HEAD is not an endpoint', () => {
  it('and another HEAD is one', () => {
    const head = "app.head('/x', (req, res) => {});";
    assert.deepEqual(said(head), ['express HEAD /x']);
  });
});

describe('controllers are found by their decorators, and not changed', () => {
  const nest = (method: string, head = "import { Get, Post as P, Body } from '@nestjs/common';") =>
    findRoutes({ path: 'c.ts', text: `${head}\nclass C { ${method} }` });

  it('a method with a path', () => {
    const [route, ...others] = nest("@Get('cats/:id') find() { return 1; }");
    assert.ok(route);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [route.framework, route.method, route.path],
      ['decorators', 'GET', '/cats/:id'],
    );
    assert.equal(route.refusal?.code, 'decorators');
    assert.match(route.refusal?.message ?? '', /@nestjs\/common/);
    assert.equal(route.confidence, 'certain');
    assert.deepEqual(route.params, []);
    assert.deepEqual(route.handler, route.range);
    assert.ok(route.range.start > 0 && route.range.end > route.range.start);
  });

  it('by the name in its module, without a path, or with one that is not known', () => {
    assert.deepEqual(
      nest('@P() add() {}').map(({ method, path }) => [method, path]),
      [['POST', '/']],
    );
    assert.equal(nest("@Get('/cats') a() {}")[0]?.path, '/cats');
    assert.equal(nest('@Get(PATHS.cats) a() {}')[0]?.path, 'PATHS.cats');
  });

  for (const name of [
    'Get',
    'Post',
    'Put',
    'Patch',
    'Delete',
    'GET',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
  ]) {
    it(`@${name}`, () => {
      const head = `import { ${name} } from 'routing-controllers'; app.get();`;
      assert.equal(nest(`@${name}() a() {}`, head)[0]?.method, name.toUpperCase());
    });
  }
  for (const module of ['routing-controllers', 'fastify-decorators', '@tsed/schema']) {
    it(module, () =>
      assert.equal(nest('@Get() a() {}', `import { Get } from '${module}';`).length, 1),
    );
  }

  it('other decorators do not create routes', () => {
    assert.deepEqual(nest('@Get a() {}'), []);
    assert.deepEqual(nest('@Body() a() {}  b() { app.get(1) }'), []);
    assert.deepEqual(nest('@Get() a = 1;'), []);
    assert.deepEqual(
      nest('@Get() a() {}', "import { Get } from './own.js'; // @nestjs/common"),
      [],
    );
    assert.deepEqual(nest('@Get() a() {}', '// @nestjs/common'), []);
    assert.deepEqual(nest('@Get() a() {}', "import { Get } from './own.js';"), []);
  });
});

describe('the route at a position is the one around it, else the nearest above', () => {
  const route = (path: string, range: [number, number], handler?: [number, number]): Route => ({
    framework: 'express',
    method: 'GET',
    path,
    params: [],
    range: { start: range[0], end: range[1] },
    call: { start: range[0], end: range[1] },
    handler: handler && { start: handler[0], end: handler[1] },
    gated: undefined,
    confidence: 'certain',
    refusal: undefined,
  });
  const at = (offset: number, ...routes: readonly Route[]) => routeAt(routes, offset)?.path;
  const a = route('a', [10, 20]);
  const b = route('b', [30, 40], [60, 70]);

  it('within a range, its ends included', () => {
    for (const offset of [10, 15, 20]) assert.equal(at(offset, a, b), 'a');
    for (const offset of [30, 40]) assert.equal(at(offset, a, b), 'b');
  });

  it('the innermost of nested ranges', () => {
    const outer = route('outer', [0, 100]);
    assert.equal(at(15, outer, a), 'a');
    assert.equal(at(15, a, outer), 'a');
    assert.equal(at(50, outer, a), 'outer');
  });

  it('a handler elsewhere belongs to its route', () => {
    const c = route('c', [45, 50]);
    assert.equal(at(65, a, b, c), 'b');
    assert.equal(at(60, a, b, c), 'b');
    assert.equal(at(71, a, b, c), 'c');
  });

  it('a range counts before a handler', () => {
    assert.equal(at(65, b, route('d', [62, 68])), 'd');
  });

  it('above all of them, the first; without any, none', () => {
    assert.equal(at(5, a, b), 'a');
    assert.equal(at(25, a, b), 'a');
    assert.equal(at(5), undefined);
  });
});
