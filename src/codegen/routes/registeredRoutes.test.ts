import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Bindings } from '../source/bindings.ts';
import { parseSource } from '../source/sourceFile.ts';
import type { FoundRoute } from './foundRoute.ts';
import { evidenceOf, type Surroundings } from './frameworks.ts';
import { registeredRoutes } from './registeredRoutes.ts';

function routes(text: string, around: Surroundings = {}): readonly FoundRoute[] {
  const file = parseSource('app.ts', text);
  return registeredRoutes(file, new Bindings(), evidenceOf(file, around));
}

/** `express GET /x certain`, one for each route. */
function said(text: string, around: Surroundings = {}): readonly string[] {
  return routes(text, around).map(
    ({ framework, method, path, confidence }) => `${framework} ${method} ${path} ${confidence}`,
  );
}

const EXPRESS = "import express from 'express'; const app = express();";
const FASTIFY = "import Fastify from 'fastify'; const app = Fastify();";

describe('a call of a method with a path and a handler is a route', () => {
  for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
    it(method, () => {
      const [route] = routes(`${EXPRESS} app.${method}('/x/:id', (req, res) => {});`);
      assert.equal(route?.method, method.toUpperCase());
      assert.equal(route?.path, '/x/:id');
      assert.deepEqual(route?.params, ['id']);
      assert.equal(route?.refusal, undefined);
    });
  }

  it('head and options are listed, and have nothing that could be sold', () => {
    for (const method of ['head', 'options']) {
      const [route] = routes(`${EXPRESS} app.${method}('/x', h);`);
      assert.equal(route?.method, method.toUpperCase());
      assert.equal(route?.refusal?.code, 'method_not_sellable');
      assert.match(route?.refusal?.message ?? '', new RegExp(`^${method.toUpperCase()} `));
    }
  });

  it('all is every method: Express sells it, Fastify keeps HEAD for it', () => {
    const [route] = routes(`${EXPRESS} app.all('/x', h);`);
    assert.deepEqual([route?.method, route?.refusal], ['*', undefined]);
    const [other] = routes(`${FASTIFY} app.all('/x', h);`);
    assert.deepEqual([other?.method, other?.refusal?.code], ['*', 'several_methods']);
  });

  it('a call of another name, or without a handler, is none', () => {
    for (const call of ["app.use('/x', h)", "app.listen('/x', h)", "app.get('env')", 'app.get()']) {
      assert.deepEqual(said(`${EXPRESS} ${call};`), [], call);
    }
  });
});

describe('a chain registers one route after the other, in the order of the text', () => {
  it('app.get(…).post(…)', () => {
    const text = `${EXPRESS} app.get('/a', h).use(x).post('/b', h);`;
    assert.deepEqual(said(text), ['express GET /a certain', 'express POST /b certain']);
    const [first, second] = routes(text);
    assert.equal(text.slice(first?.range.start, first?.range.end), "app.get('/a', h)");
    assert.equal(text.slice(second?.range.start, second?.range.end), ".post('/b', h)");
  });

  it('app.route(path).get(…).post(…)', () => {
    const text = `${EXPRESS} app.route('/a').get(h).post(h);`;
    assert.deepEqual(said(text), ['express GET /a certain', 'express POST /a certain']);
    assert.equal(routes(text)[1]?.registered?.call.getText(), "app.route('/a')");
  });

  it('a route that is kept in a constant', () => {
    const text = `${EXPRESS} const a = app.route('/a'); a.get(h); a.post(h);`;
    assert.deepEqual(said(text), ['express GET /a certain', 'express POST /a certain']);
  });

  it('a chain that begins with a call of express', () => {
    assert.deepEqual(said("import express from 'express'; express.Router().get('/a', h);"), [
      'express GET /a certain',
    ]);
  });
});

describe('a path has the value that it always has in the code', () => {
  const code = (path: string) => {
    const [route] = routes(`${EXPRESS} const A = '/a'; app.get(${path}, h);`);
    return [route?.path, route?.refusal?.code];
  };

  it('through constants and templates', () => {
    assert.deepEqual(code(`\`\${A}/b\``), ['/a/b', undefined]);
    assert.deepEqual(code("A + '/c'"), ['/a/c', undefined]);
  });

  it('and is its code if the value is unknown', () => {
    assert.deepEqual(code('paths.x'), ['paths.x', undefined]);
    assert.deepEqual(code('(/x/)'), ['/x/', undefined]);
    assert.deepEqual(code("['/a', '/b']"), ["['/a', '/b']", undefined]);
    assert.deepEqual(code("'/x{/y}'"), ['/x{/y}', undefined]);
    assert.deepEqual(code('join(a, b)'), ['join(a, b)', 'path_not_static']);
    assert.deepEqual(code('[join(a), b]'), ['[join(a), b]', 'path_not_static']);
    assert.deepEqual(code('/x/g'), ['/x/g', 'path_not_supported']);
    assert.deepEqual(code("['/a', /x/y]"), ["['/a', /x/y]", 'path_not_static']);
  });

  it('each refusal gives its reason', () => {
    const message = (path: string) =>
      routes(`${EXPRESS} app.get(${path}, h);`)[0]?.refusal?.message ?? '';
    assert.match(message('/x/y'), /flag g or y/);
    assert.match(message('join(a, b)'), /computed/);
  });
});

describe('the handler is the last function', () => {
  const handler = (text: string) => {
    const [route] = routes(text);
    return route?.handler && text.slice(route.handler.start, route.handler.end);
  };

  it('behind middleware and options', () => {
    assert.equal(handler(`${EXPRESS} app.get('/x', auth, (req, res) => 1);`), '(req, res) => 1');
    assert.equal(handler(`${FASTIFY} app.get('/x', { schema }, async () => 1);`), 'async () => 1');
  });

  it('or the one among the options of Fastify', () => {
    assert.equal(handler(`${FASTIFY} app.get('/x', { handler: () => 1 });`), '() => 1');
    assert.equal(
      handler(`${FASTIFY} app.get('/x', { async handler() {} });`),
      'async handler() {}',
    );
    assert.equal(
      handler(`${FASTIFY} const handler = () => 2; app.get('/x', { a: 1, handler });`),
      '() => 2',
    );
    assert.equal(handler(`${FASTIFY} app.get('/x', { onRequest: () => 1 });`), undefined);
    assert.equal(handler(`${FASTIFY} app.get('/x', { get handler() { return h; } });`), undefined);
    assert.equal(handler(`${EXPRESS} app.get('/x', { handler: () => 1 });`), undefined);
  });

  it('or elsewhere', () => assert.equal(handler(`${EXPRESS} app.get('/x', imported);`), undefined));
});

describe('the options of Fastify are kept', () => {
  it('from the place behind the path, or a constant', () => {
    const options = (text: string) => routes(text)[0]?.registered?.options?.getText();
    assert.equal(options(`${FASTIFY} app.get('/x', { a: 1 }, h);`), '{ a: 1 }');
    assert.equal(options(`${FASTIFY} const o = { a: 1 }; app.get('/x', o, h);`), '{ a: 1 }');
    assert.equal(options(`${EXPRESS} app.get('/x', { a: 1 }, h);`), undefined);
  });
});

describe('fastify.route registers what its options say', () => {
  const full = (options: string) => `${FASTIFY} app.route(${options});`;

  it('with url or path, one method or a list of one', () => {
    for (const options of [
      "{ method: 'GET', url: '/x', handler: h }",
      "{ method: 'get', path: '/x', handler: h }",
      "{ method: ['GET'], url: '/x', handler: h }",
    ]) {
      assert.deepEqual(said(full(options)), ['fastify GET /x certain'], options);
    }
  });

  it('a list of methods is not sold', () => {
    const [route] = routes(full("{ method: ['GET', 'POST'], url: '/x', handler: h }"));
    assert.equal(route?.method, '*');
    assert.equal(route?.refusal?.code, 'several_methods');
    assert.match(route?.refusal?.message ?? '', /GET and POST/);
  });

  it('an unknown method can be any', () => {
    const [route] = routes(full("{ method: unknown, url: '/x', handler: h }"));
    assert.equal(route?.method, '*');
    assert.equal(route?.refusal?.code, 'several_methods');
    assert.match(route?.refusal?.message ?? '', /every method/);
  });

  it('HEAD is not sold', () => {
    const [route] = routes(full("{ method: 'HEAD', url: '/x', handler: h }"));
    assert.equal(route?.refusal?.code, 'method_not_sellable');
  });

  it('a missing path is unknown', () => {
    const [route] = routes(full("{ method: 'GET', handler: h }"));
    assert.deepEqual([route?.path, route?.refusal?.code], ['', 'path_not_static']);
  });

  it('the handler is among the options', () => {
    const [route] = routes(full("{ method: 'GET', url: '/x', handler: () => 1 }"));
    assert.equal(route?.handlerNode?.getText(), '() => 1');
  });

  it('an empty path is one where the handler identifies its framework', () => {
    const handlers = ['(req, res) => {}', 'async (_request, reply) => {}', '(c) => {}'];
    assert.deepEqual(
      handlers.flatMap((handler) => said(`app.get('', ${handler});`)),
      ['express GET / likely', 'fastify GET / likely', 'hono GET / likely'],
    );
    for (const call of [
      "map.get('', () => 1)",
      "app.get('', options)",
      "app.get('x', (req, res) => {})",
    ]) {
      assert.deepEqual(said(`${call};`), [], call);
    }
  });

  it('on an instance of unknown origin, the route is likely', () => {
    assert.deepEqual(said("server.route({ method: 'GET', url: '/x', handler: h });"), [
      'fastify GET /x likely',
    ]);
    const [route] = routes("server.route({ method: 'GET', url: '/x', handler: h });");
    assert.equal(route?.registered?.origin, 'given');
  });

  it('other calls of that name are none', () => {
    for (const call of [
      "app.route('/x')",
      "app.route({ url: '/x', handler: h })",
      'app.route(options)',
      'app.route()',
      "app.route({ method: 'GET', url: '/x' }, more)",
      "app.add({ method: 'GET', url: '/x' })",
    ]) {
      assert.deepEqual(said(`${FASTIFY} ${call};`), [], call);
    }
    assert.deepEqual(said(`${EXPRESS} app.route({ method: 'GET', url: '/x' });`), []);
  });
});

describe('if the receiver is unknown, the parameter names identify the framework', () => {
  const on = (handler: string, head = '') => said(`${head} x.get('/x', ${handler});`);

  for (const second of ['reply', '_reply', 'rep']) {
    it(`(request, ${second}) is Fastify`, () =>
      assert.deepEqual(on(`(request, ${second}) => {}`), ['fastify GET /x likely']));
  }
  for (const both of [
    'req, res',
    '_req, res',
    'request, response',
    '_, res',
    '{ query }, res',
    '_req, _res',
  ]) {
    it(`(${both}) is Express`, () =>
      assert.deepEqual(on(`(${both}) => {}`), ['express GET /x likely']));
  }
  it('a middleware of Express before the handler identifies it too', () => {
    for (const middleware of [
      '(req, res, next) => next()',
      'settings.user ? auth(settings.user) : (req, res, next) => next()',
      'settings.open ? ((_req, _res, next) => next()) : auth()',
    ]) {
      const call = `x.get(settings.route, ${middleware}, pages().index);`;
      assert.deepEqual(said(call), ['express GET settings.route likely'], middleware);
    }
    for (const other of ['(req, res) => 1', '(a, b, next) => next()', 'on ? auth() : none()']) {
      assert.deepEqual(said(`x.get(settings.route, ${other}, pages().index);`), [], other);
    }
  });
  for (const both of ['a, b', 'err, res', 'req, b', 'replys, xreply', '']) {
    it(`(${both}) says nothing`, () => assert.deepEqual(on(`(${both}) => {}`), []));
  }
});

describe('if the parameters don’t identify it, the receiver’s name decides', () => {
  for (const name of ['app', 'server', 'router', 'route', 'routes', 'userRouter']) {
    it(`${name} may be one`, () => {
      assert.deepEqual(said(`${name}.get('/x', handler);`), ['express GET /x likely']);
    });
  }
  for (const name of [
    'client',
    'axios',
    'cache',
    'apps',
    'routers',
    'application',
    'api',
    'v1Api',
  ]) {
    it(`${name} is none`, () => assert.deepEqual(said(`${name}.get('/x', handler);`), []));
  }

  it('fastify and instance are Fastify’s', () => {
    for (const name of ['fastify', 'instance', 'this.fastify']) {
      assert.deepEqual(said(`${name}.get('/x', handler);`), ['fastify GET /x likely'], name);
    }
  });

  it('the framework that the file imports by itself decides', () => {
    const express = "import type { Request } from 'express';";
    const plugin = "import fp from 'fastify-plugin';";
    const cors = "import cors from '@fastify/cors';";
    assert.deepEqual(said(`${express} app.get('/x', () => 1);`), ['express GET /x likely']);
    assert.deepEqual(said(`${plugin} app.get('/x', handler);`), ['fastify GET /x likely']);
    assert.deepEqual(said(`${cors} app.get('/x', handler);`), ['fastify GET /x likely']);
    // With both of them nothing is guessed.
    const [doubtful] = routes(`${express} ${plugin} app.get('/x', handler);`);
    assert.deepEqual(
      [doubtful?.framework, doubtful?.refusal?.code],
      ['other', 'framework_unknown'],
    );
  });

  it('without one, a handler of at most one parameter is Fastify’s', () => {
    assert.deepEqual(said("app.get('/x', () => 1);"), ['fastify GET /x likely']);
    assert.deepEqual(said("app.get('/x', (a) => 1);"), ['fastify GET /x likely']);
    assert.deepEqual(said("app.get('/x', (a, b) => 1);"), ['express GET /x likely']);
  });

  it('a call with client options is not a route', () => {
    assert.deepEqual(said("api.get('/x', { params: {} });"), []);
    assert.deepEqual(said("api.get('/x', 'text');"), []);
    assert.deepEqual(said("api.post('/x', data, { headers });"), []);
  });

  it('named handlers, members and calls are handlers', () => {
    for (const handler of ['handler', 'users.list', 'users.list()', 'auth, users.list', '(h)']) {
      assert.deepEqual(said(`app.get('/x', ${handler});`), ['express GET /x likely'], handler);
    }
  });

  it('a path that begins otherwise, or is unknown, is not a route', () => {
    assert.deepEqual(said("app.get('x', handler);"), []);
    assert.deepEqual(said('app.get(path, handler);'), []);
    assert.deepEqual(said("x.get('https://x.example', (req, res) => {});"), []);
    assert.deepEqual(said("app.get('*', handler);"), ['express GET * likely']);
    assert.deepEqual(said('x.get(path, (req, res) => {});'), ['express GET path likely']);
  });
});

describe('a table of routes', () => {
  const TABLE = `
const users = require('./users');
const routes = [
  { method: 'GET', url: '/users/:id', handler: users.one },
  { method: ['PUT', 'PATCH'], url: '/users/:id', handler: async (request, reply) => reply.send() },
  { method: 'GET', url: '/old', schema: {} },
  { method: 'PATCHED', url: '/odd', handler: users.one },
];
module.exports = routes;`;

  it('is listed where the project runs Fastify, and refused with what to do', () => {
    const found = routes(TABLE, { dependencies: ['fastify'] });
    assert.deepEqual(
      found.map(({ framework, method, path, refusal }) => [framework, method, path, refusal?.code]),
      [
        ['fastify', 'GET', '/users/:id', 'layout_not_supported'],
        ['fastify', '*', '/users/:id', 'layout_not_supported'],
      ],
    );
    assert.match(found[0]?.refusal?.message ?? '', /fastify\.route\(/);
  });

  it('keeps its paths as written, since /api/ and /api are different paths in Fastify', () => {
    const table =
      "export const routes = [{ method: 'GET', url: '/api/', handler: h }, { method: 'GET', url: '//a', handler: h }];";
    assert.deepEqual(
      routes(table, { dependencies: ['fastify'] }).map(({ path }) => path),
      ['/api/', '//a'],
    );
  });

  it('is not listed where another server runs, or where a client uses the table', () => {
    assert.deepEqual(said(TABLE, { dependencies: ['express'] }), []);
    assert.deepEqual(said(TABLE, { dependencies: ['axios'] }), []);
    assert.deepEqual(said(TABLE.replaceAll('handler', 'then'), { dependencies: ['fastify'] }), []);
  });
});

describe('a path that is computed, on a router that is passed in', () => {
  const register = (call: string) =>
    `module.exports = (router, name, middleware, api) => { ${call} };`;

  it('is listed where its text begins with a slash and everything behind it is a function', () => {
    for (const call of [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: code under test
      'router.get(`/api/${name}/config`, middleware.auth, wrap(controllers.config));',
      'router.get(/^\\/sitemap\\.(\\d+)\\.xml/, wrap(controllers.sitemap));',
    ]) {
      assert.equal(said(register(call), { dependencies: ['express'] }).length, 1, call);
    }
  });

  it('is not one of a client, or of anything else that is read by a key', () => {
    for (const call of [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: code under test
      'api.get(`/posts/${name}`, done);',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: code under test
      'router.get(`${name}:stats`, wrap(done));',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: code under test
      'router.get(`/posts/${name}`, { body: 1 });',
    ]) {
      assert.deepEqual(said(register(call), { dependencies: ['express'] }), [], call);
    }
  });
});

describe('a call on a router that is passed in', () => {
  it('needs a handler: an empty list is none', () => {
    const passed = (handlers: string) =>
      said(`module.exports = (router, h) => router.get('/x', ${handlers});`, {
        dependencies: ['express'],
      });
    assert.deepEqual(passed('[]'), []);
    assert.deepEqual(passed('[h]'), ['express GET /x likely']);
  });

  it('on() of Hono ranges from its own dot', () => {
    const text = "import { Hono } from 'hono'; const app = new Hono(); app.on('GET', '/x', h);";
    assert.equal(routes(text)[0]?.range.start, text.indexOf('.on('));
  });
});
