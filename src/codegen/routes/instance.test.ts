import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ts } from 'ts-morph';
import { Bindings } from '../source/bindings.ts';
import { parseSource } from '../source/sourceFile.ts';
import { findIn } from '../source/syntax.ts';
import { instanceKey, instanceOf } from './instance.ts';

/** The receivers of `.get(…)` in a file, first to last. */
function receivers(text: string): readonly ts.Expression[] {
  const found: ts.Expression[] = [];
  findIn(parseSource('app.ts', text), (node) => {
    const called = ts.isCallExpression(node) ? node.expression : undefined;
    if (called && ts.isPropertyAccessExpression(called) && called.name.text === 'get') {
      found.push(called.expression);
    }
    return undefined;
  });
  return found;
}

/** What the receiver of `.get(…)` is: `express made certain`. */
function said(text: string): string | undefined {
  const [receiver] = receivers(text);
  assert.ok(receiver, text);
  const instance = instanceOf(receiver, new Bindings());
  return instance && `${instance.framework} ${instance.origin} ${instance.confidence}`;
}

function is(expected: string | undefined, texts: readonly string[]): void {
  for (const text of texts) it(text, () => assert.equal(said(text), expected));
}

const ROUTE = "app.get('/x', h);";

describe('what express makes is an instance of Express', () => {
  is('express made certain', [
    `import express from 'express'; const app = express(); ${ROUTE}`,
    `import * as express from 'express'; const app = express(); ${ROUTE}`,
    `import { Router } from 'express'; const app = Router(); ${ROUTE}`,
    `import { Router as R } from 'express'; const app = new R(); ${ROUTE}`,
    `import express from 'express'; const app = express.Router(); ${ROUTE}`,
    `import { express } from 'express'; const app = express(); ${ROUTE}`,
    `const express = require('express'); const app = express(); ${ROUTE}`,
    `const app = require('express')(); ${ROUTE}`,
    `const { Router } = require('express'); const app = Router(); ${ROUTE}`,
    `import express from 'express'; const { Router } = express; const app = Router(); ${ROUTE}`,
    `import Router from 'express-promise-router'; const app = Router(); ${ROUTE}`,
    `import express from 'express'; const app = (express() as Any)!; ${ROUTE}`,
    `import express from 'express'; const app = express().use(x); ${ROUTE}`,
    `import express from 'express'; const first = express(); const app = first; ${ROUTE}`,
    `import express from 'express'; express().get('/x', h);`,
  ]);
});

describe('what fastify makes is an instance of Fastify', () => {
  is('fastify made certain', [
    `import Fastify from 'fastify'; const app = Fastify(); ${ROUTE}`,
    `import { fastify } from 'fastify'; const app = fastify({ logger: true }); ${ROUTE}`,
    `import { Fastify } from 'fastify'; const app = Fastify(); ${ROUTE}`,
    `import * as fastify from 'fastify'; const app = fastify(); ${ROUTE}`,
    `const app = require('fastify')({ logger: true }); ${ROUTE}`,
    `import Fastify from 'fastify'; const app = Fastify().withTypeProvider<Z>(); ${ROUTE}`,
    `import Fastify from 'fastify'; const app = await Fastify(); ${ROUTE}`,
  ]);
});

describe('what other code creates is not', () => {
  is(undefined, [
    `import express from 'express'; const app = express.json(); ${ROUTE}`,
    `import { json } from 'express'; const app = json(); ${ROUTE}`,
    `import { errorCodes } from 'fastify'; const app = errorCodes(); ${ROUTE}`,
    `import express from './express.js'; const app = express(); ${ROUTE}`,
    `const app = new Map(); ${ROUTE}`,
    `const app = 'text'; ${ROUTE}`,
    ROUTE,
    `[].get('/x', h);`,
    `const app = app; ${ROUTE}`,
    `class App {} ${ROUTE.replace('app', 'App')}`,
  ]);
});

describe('clients of servers, and servers without a payment adapter, are recognised by their package', () => {
  is('client given certain', [
    `import axios from 'axios'; const app = axios.create(); ${ROUTE}`,
    `import axios from 'axios'; axios.get('/x', h);`,
    `import { rest as app } from 'msw'; ${ROUTE}`,
    `import type { AxiosInstance } from 'axios'; function f(app: AxiosInstance) { ${ROUTE} }`,
  ]);
  is('other given certain', [
    `import Router from '@koa/router'; const app = new Router(); ${ROUTE}`,
    `import Koa from 'koa'; const app = new Koa(); ${ROUTE}`,
    `const app = require('@hapi/hapi').server(); ${ROUTE}`,
    `import type { Router } from '@koa/router'; function f(app: Router) { ${ROUTE} }`,
  ]);
  // Its routes are classes, which describe themselves.
  is('other made certain', [
    `import { fromHono } from 'chanfana'; const app = fromHono(new Hono()); ${ROUTE}`,
    `import { fromIttyRouter } from 'chanfana'; const app = fromIttyRouter(Router()); ${ROUTE}`,
  ]);
  is(undefined, [`import { fromHono } from './mine'; const app = fromHono(x); ${ROUTE}`]);
});

describe('what Hono makes is an instance of Hono', () => {
  is('hono made certain', [
    `import { Hono } from 'hono'; const app = new Hono(); ${ROUTE}`,
    `import { Hono } from 'hono'; const app = new Hono().basePath('/v1'); ${ROUTE}`,
    `import { OpenAPIHono } from '@hono/zod-openapi'; const app = new OpenAPIHono(); ${ROUTE}`,
  ]);
  is('hono given certain', [
    `import type { Hono } from 'hono'; function f(app: Hono) { ${ROUTE} }`,
  ]);
});

describe('a name that is assigned later is what it is assigned', () => {
  is('express made certain', [
    `import express from 'express'; let app; app = express(); ${ROUTE}`,
    `import express from 'express'; let app; app = unknown(); app = express(); ${ROUTE}`,
  ]);
  is(undefined, [
    `import express from 'express'; let app = null; app = express(); ${ROUTE}`,
    `import express from 'express'; let app; other = express(); ${ROUTE}`,
    `import express from 'express'; let app; app ??= express(); ${ROUTE}`,
    `import express from 'express'; let app; app.inner = express(); ${ROUTE}`,
  ]);
});

describe('a type identifies an argument', () => {
  for (const type of ['Express', 'Application', 'Router', 'IRouter', 'IApplication']) {
    is('express given certain', [`function f(app: ${type}) { ${ROUTE} }`]);
  }
  is('express given certain', [
    `function f(app: express.Router) { ${ROUTE} }`,
    `function f(other, app: Express) { ${ROUTE} }`,
    `declare const app: Express; ${ROUTE}`,
    `const app: Express = make(); ${ROUTE}`,
  ]);
  is('fastify given certain', [
    `function f(app: FastifyInstance) { ${ROUTE} }`,
    `function f(app: fastify.FastifyInstance<Server>) { ${ROUTE} }`,
    `function f(app: FastifyTypebox) { ${ROUTE} }`,
    `function f(app: FastifyZodInstance) { ${ROUTE} }`,
  ]);
  is(undefined, [
    `function f(app: MyExpress) { ${ROUTE} }`,
    `function f(app: MyFastifyInstance) { ${ROUTE} }`,
    `function f(app: FastifyTypeboxes) { ${ROUTE} }`,
    `function f(app: FastifyInstances) { ${ROUTE} }`,
    `function f(app: string) { ${ROUTE} }`,
    `function f(app) { ${ROUTE} }`,
  ]);
});

describe('the first argument of a Fastify plugin is an instance', () => {
  const TYPES = [
    'FastifyPlugin',
    'FastifyPluginAsync',
    'FastifyPluginCallback',
    'FastifyPluginAsyncTypebox',
    'FastifyPluginCallbackTypebox',
    'FastifyPluginAsyncJsonSchemaToTs',
    'FastifyPluginAsyncZod',
    'FastifyPluginCallbackZod',
  ];
  is('fastify given certain', [
    ...TYPES.map((type) => `const plugin: ${type} = async (app) => { ${ROUTE} };`),
    `const plugin: fastify.FastifyPluginAsync<Options> = async function (app) { ${ROUTE} };`,
    ...TYPES.map((type) => `export default (async (app) => { ${ROUTE} }) as ${type};`),
    `export default (async (app) => { ${ROUTE} }) satisfies fastify.FastifyPluginAsync<Options>;`,
    `const plugin = <FastifyPluginAsync>(async (app) => { ${ROUTE} });`,
    `const plugin = (((app) => { ${ROUTE} }) as FastifyPluginCallback)!;`,
    `import fp from 'fastify-plugin'; export default fp(async (app) => { ${ROUTE} });`,
    `import Fastify from 'fastify'; const root = Fastify(); root.register((app) => { ${ROUTE} });`,
    `import fp from 'fastify-plugin'; async function plugin(app) { ${ROUTE} } export default fp(plugin);`,
    `async function plugin(app) { ${ROUTE} } server.register(plugin);`,
    `const plugin = async (app) => { ${ROUTE} }; server.register(plugin, { prefix: '/v1' });`,
    `const x = async function plugin(app) { ${ROUTE} }; server.register(plugin);`,
  ]);
  is(undefined, [
    `const plugin: FastifyPluginAsync = async (options, app) => { ${ROUTE} };`,
    `const plugin: MyFastifyPlugin = async (app) => { ${ROUTE} };`,
    `const plugin: FastifyPlugins = async (app) => { ${ROUTE} };`,
    `export default (async (app) => { ${ROUTE} }) as MyFastifyPlugin;`,
    `export default (async (app) => { ${ROUTE} }) as unknown;`,
    `export default (async (options, app) => { ${ROUTE} }) as FastifyPluginAsync;`,
    `import fp from './plugin.js'; export default fp(async (app) => { ${ROUTE} });`,
    `other.register((app) => { ${ROUTE} });`,
    `import Fastify from 'fastify'; const root = Fastify(); root.after((app) => { ${ROUTE} });`,
    `async function plugin(app) { ${ROUTE} } server.use(plugin);`,
    `async function plugin(app) { ${ROUTE} } server.register(other);`,
    `async function plugin(app) { ${ROUTE} } server.register(options, plugin);`,
    `async function plugin(app) { ${ROUTE} } server.register();`,
    `export default (app) => { ${ROUTE} };`,
    `class A { constructor(app) { ${ROUTE} } }`,
  ]);
});

describe('the arguments of a call identify the parameters of a function', () => {
  const EXPRESS = "import express from 'express'; const server = express();";
  is('express given certain', [
    `${EXPRESS} function setUp(app) { ${ROUTE} } setUp(server);`,
    `${EXPRESS} setUp(server); const setUp = (app) => { ${ROUTE} };`,
    `${EXPRESS} setUp(unknown); setUp(server); function setUp(app) { ${ROUTE} }`,
  ]);
  is('fastify given certain', [
    `import Fastify from 'fastify'; setUp(Fastify()); function setUp(app) { ${ROUTE} }`,
  ]);
  is(undefined, [
    `${EXPRESS} function setUp(app) { ${ROUTE} } other(server);`,
    `${EXPRESS} function setUp(app) { ${ROUTE} } setUp();`,
    `${EXPRESS} function setUp(app) { ${ROUTE} } setUp(unknown, server);`,
    `${EXPRESS} function setUp(other, app) { ${ROUTE} } setUp(server);`,
    `${EXPRESS} function setUp(app) { ${ROUTE} } my.setUp(server);`,
  ]);
});

describe('a destructured value is Fastify’s by its name alone', () => {
  is('fastify given likely', [
    `function f({ fastify }) { ${ROUTE.replace('app', 'fastify')} }`,
    `const { Fastify } = deps; ${ROUTE.replace('app', 'Fastify')}`,
  ]);
  is(undefined, [`function f({ app }) { ${ROUTE} }`, `const [app] = all; ${ROUTE}`]);
});

describe('a member of a class is identified by its type, its value, or what is assigned to it', () => {
  const method = "m() { this.app.get('/x', h); }";
  const EXPRESS = "import express from 'express';";
  is('express made certain', [
    `${EXPRESS} class A { app = express(); ${method} }`,
    `${EXPRESS} class A { app; constructor() { this.app = express(); } ${method} }`,
    `${EXPRESS} class A { other = 1; app = express(); ${method} }`,
    `${EXPRESS} class A { constructor() { this.app = unknown(); this.app = express(); } ${method} }`,
    `${EXPRESS} const A = class { app = express(); ${method} }`,
  ]);
  is('express given certain', [
    `class A { app: Express; ${method} }`,
    `class A { constructor(private readonly app: Router) {} ${method} }`,
    `class A { constructor(private readonly other: X, private readonly app: Router) {} ${method} }`,
  ]);
  is('fastify given certain', [`class A { private app: FastifyInstance; ${method} }`]);
  is(undefined, [
    `class A { app: Unknown; ${method} }`,
    `class A { other: Express; ${method} }`,
    `class A { constructor(private readonly other: Router) {} ${method} }`,
    `class A { constructor(private readonly app) {} ${method} }`,
    `${EXPRESS} class A { constructor() { this.other = express(); } ${method} }`,
    `${EXPRESS} class A { constructor() { this.app ??= express(); } ${method} }`,
    `${EXPRESS} function m() { this.app.get('/x', h); }`,
    `${EXPRESS} class A { app = express(); m(deps) { deps.app.get('/x', h); } }`,
  ]);
});

describe('instances with equal text are distinguished by their scopes', () => {
  const keys = (text: string) => {
    const bindings = new Bindings();
    return receivers(text).map((receiver) => instanceKey(receiver, bindings));
  };

  it('two uses of one name are one instance', () => {
    for (const text of [
      "const app = a(); app.get('/a', h); app.get('/b', h);",
      "import app from './app.js'; app.get('/a', h); { app.get('/b', h); }",
      "app.get('/a', h); function f() { app.get('/b', h); }",
      "class A { m() { this.app.get('/a', h); } n() { this.app.get('/b', h); } }",
      "function f({ app }) { app.get('/a', h); (app as App).get('/b', h); }",
      "function f(x) { x.app.get('/a', h); x.app.get('/b', h); }",
    ]) {
      const [first, second] = keys(text);
      assert.ok(first, text);
      assert.equal(first, second, text);
    }
  });

  it('one name in two scopes is two', () => {
    for (const text of [
      "function f(app) { app.get('/a', h); } function g(app) { app.get('/b', h); }",
      "function f({ app }) { app.get('/a', h); } function g({ app }) { app.get('/b', h); }",
      "const app = a(); app.get('/a', h); { const app = b(); app.get('/b', h); }",
      "class A { m() { this.app.get('/a', h); } } class B { m() { this.app.get('/b', h); } }",
      "function f(x) { x.app.get('/a', h); } function g(x) { x.app.get('/b', h); }",
      "const a = 1, b = 2; a.get('/a', h); b.get('/b', h);",
    ]) {
      const [first, second] = keys(text);
      assert.ok(first && second, text);
      assert.notEqual(first, second, text);
    }
  });

  it('an unnamed value has no key', () => {
    assert.deepEqual(keys("make().get('/a', h);"), [undefined]);
    assert.deepEqual(keys("apps[0].get('/a', h);"), [undefined]);
  });
});
