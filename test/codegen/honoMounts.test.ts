import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  applyEdits,
  findRoutes,
  gateTerms,
  type ProjectFiles,
  removePayment,
  routesNamed,
  sourceInProject,
} from '../../src/codegen/index.ts';
import { added } from './payments.ts';

const HONO = "import { Hono } from 'hono';\n";

/** The method and the whole path of each route of a file. */
function listed(text: string): readonly string[] {
  return findRoutes({ path: 'src/app.ts', text }).map(
    ({ method, path, mounted = path }) => `${method} ${mounted}`,
  );
}

describe('a mounted Hono app has its full path in the key, which the catalog lists', () => {
  const ways: readonly (readonly [string, string, string])[] = [
    [
      'route()',
      "const app = new Hono();\nconst items = new Hono();\nITEMS\napp.route('/api', items);",
      '/api',
    ],
    [
      'route() of a route()',
      "const app = new Hono();\nconst v1 = new Hono();\nconst items = new Hono();\nITEMS\nv1.route('/items/', items);\napp.route('/v1', v1);",
      '/v1/items',
    ],
    [
      'a chain of route()',
      "const items = new Hono();\nITEMS\nconst app = new Hono().route('/other', other).route('/items', items);",
      '/items',
    ],
    [
      'a chain that is exported',
      "const items = new Hono();\nITEMS\nexport default new Hono().basePath('/api').route('/items', items);",
      '/api/items',
    ],
    ['basePath()', "const items = new Hono().basePath('/v1');\nITEMS", '/v1'],
    [
      'basePath() with types',
      "const items = new Hono<{ Bindings: Env }>().basePath('/v1');\nITEMS",
      '/v1',
    ],
    [
      'basePath() of another app',
      "const app = new Hono().basePath('/v1');\nconst items = app.basePath('/items');\nITEMS",
      '/v1/items',
    ],
    [
      'a prefix with a parameter',
      "const app = new Hono();\nconst items = new Hono();\nITEMS\napp.route('/users/:user', items);",
      '/users/:user',
    ],
    [
      'a constant',
      "const PREFIX = '/api';\nconst app = new Hono();\nconst items = new Hono();\nITEMS\napp.route(PREFIX, items);",
      '/api',
    ],
  ];
  for (const [name, body, mount] of ways) {
    it(name, () => {
      const text = HONO + body.replace('ITEMS', "items.get('/:id', (c) => c.json({ id: 1 }));\n");
      assert.deepEqual(listed(text), [`GET ${mount}/:id`]);
      const paid = added(text, "'/:id'", { path: 'src/app.ts' });
      assert.ok(paid.includes(`'GET ${mount}/:id': {`), paid);
      assert.match(paid, /items\.get\(\n {2}'\/:id',\n {2}forRoute\(\{/);
      const [route, second] = findRoutes({ path: 'src/app.ts', text: paid });
      assert.equal(second, undefined);
      assert.equal(route?.gated, 'marker');
    });
  }

  it('its first path has no trailing slash', () => {
    const text = `${HONO}const app = new Hono();\nconst items = new Hono();\nitems.get('/', (c) => c.json([]));\napp.route('/items', items);\n`;
    assert.ok(added(text, "'/', (c)", { path: 'src/app.ts' }).includes("'GET /items': {"));
  });

  it('a path in a constant stays one', () => {
    const text = `${HONO}const PATH = '/list';\nconst items = new Hono().basePath('/v1');\nitems.get(PATH, (c) => c.json([]));\n`;
    assert.ok(
      added(text, 'items.get(', { path: 'src/app.ts' }).includes(`[\`GET /v1\${PATH}\`]: {`),
    );
  });

  it('the gate’s declaration is found again, and the payment is removed byte for byte', () => {
    const text = `${HONO}const app = new Hono();\nconst items = new Hono();\nitems.get('/:id', (c) => c.json({}));\napp.route('/api', items);\n`;
    const paid = { path: 'src/app.ts', text: added(text, "'/:id'", { path: 'src/app.ts' }) };
    assert.equal(gateTerms(paid, 'GET', '/api/:id')?.description, 'GET /api/:id');
    const result = removePayment({ ...paid, offset: paid.text.indexOf("items.get('/:id', (c)") });
    assert.ok(result.ok);
    assert.equal(applyEdits(paid.text, result.edits), text);
  });

  it('a route can be named by its own path and by the full one', () => {
    const text = `${HONO}const app = new Hono();\nconst items = new Hono();\nitems.get('/:id', (c) => c.json({}));\napp.route('/api', items);\n`;
    const routes = findRoutes({ path: 'src/app.ts', text });
    for (const name of ['GET /:id', 'GET /api/:id', '/api/:id/']) {
      assert.equal(routesNamed(routes, name).length, 1, name);
    }
    assert.equal(routesNamed(routes, 'GET /api').length, 0);
  });
});

describe('if the full path is uncertain, the route keeps its own', () => {
  const route = "items.get('/x', (c) => c.json({}));\n";
  const ways: readonly (readonly [string, string])[] = [
    ['two mounts', "app.route('/a', items);\napp.route('/b', items);"],
    ['a computed path', 'app.route(prefix(), items);'],
    [
      'another app of the same name',
      "function other() {\n  const items = new Hono();\n  app.route('/api', items);\n}",
    ],
    ['an app in itself', "items.route('/again', items);"],
    ['two apps in each other', "items.route('/a', app);\napp.route('/b', items);"],
    ['an app of Express', "const router = Router();\nrouter.use('/api', items);"],
  ];
  for (const [name, body] of ways) {
    it(name, () => {
      const text = `${HONO}const app = new Hono();\nconst items = new Hono();\n${route}${body}\n`;
      assert.deepEqual(listed(text), ['GET /x']);
    });
  }
});

describe('an app of Hono that another file mounts', () => {
  const ITEMS = `${HONO}export const items = new Hono();\nitems.get('/:id', (c) => c.json({}));\nexport default items;\n`;
  const mounted = async (others: Readonly<Record<string, string>>, text = ITEMS) => {
    const files: ProjectFiles = {
      exists: async (path) => path in others || path === '/p/package.json',
      read: async (path) =>
        others[path] ?? (path === '/p/package.json' ? '{"dependencies":{"hono":"^4"}}' : undefined),
    };
    const { source } = await sourceInProject('/p/src/routes/items.ts', text, files);
    return findRoutes(source).map(({ mounted = '' }) => mounted.replace('/:id', ''));
  };
  const app = (head: string, tail: string) =>
    `${head}\n${HONO}const app = new Hono();\n${tail}\nexport default app;\n`;

  const ways: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    [
      'by its name',
      {
        '/p/src/app.ts': app(
          "import { items } from './routes/items.js';",
          "app.route('/api', items);",
        ),
      },
    ],
    [
      'by another name',
      {
        '/p/src/index.ts': app(
          "import { items as all } from './routes/items';",
          "app.route('/api', all);",
        ),
      },
    ],
    [
      'as the default',
      {
        '/p/src/server.ts': app(
          "import list from './routes/items.ts';",
          "app.route('/api', list);",
        ),
      },
    ],
    [
      'as the default of the module',
      {
        '/p/src/index.js':
          "const { Hono } = require('hono');\nconst items = require('./routes/items');\nconst app = new Hono();\napp.route('/api', items.items);\n",
      },
    ],
    [
      'by an alias',
      {
        '/p/src/main.ts': app(
          "import { items } from '@/routes/items';",
          "app.route('/api', items);",
        ),
      },
    ],
    [
      'through a file of routes',
      {
        '/p/src/routes/index.ts': `import { items } from './items';\n${HONO}export const routes = new Hono().route('/items', items);\n`,
        '/p/src/index.ts': app("import { routes } from './routes';", "app.route('/api', routes);"),
      },
    ],
  ];
  for (const [name, others] of ways) {
    it(name, async () => {
      const expected = name.startsWith('through') ? '/api/items' : '/api';
      assert.deepEqual(await mounted(others), [expected]);
    });
  }

  it('but not where two files mount it at different paths, or none does', async () => {
    const one = app("import { items } from './routes/items';", "app.route('/a', items);");
    const two = app("import { items } from './routes/items';", "app.route('/b', items);");
    assert.deepEqual(await mounted({ '/p/src/app.ts': one, '/p/src/index.ts': two }), ['']);
    assert.deepEqual(
      await mounted({ '/p/src/app.ts': app('', "app.get('/', (c) => c.text(''));") }),
      [''],
    );
    const other = app("import { items } from './other/items';", "app.route('/a', items);");
    assert.deepEqual(await mounted({ '/p/src/app.ts': other }), ['']);
  });

  it('files that mount each other do not loop, and neither does one that does not parse', async () => {
    const a = `import b from './b';\nimport { items } from './items';\n${HONO}const a = new Hono();\na.route('/b', b);\na.route('/items', items);\nexport default a;\n`;
    const b = `import a from './index';\n${HONO}const b = new Hono();\nb.route('/a', a);\nexport default b;\n`;
    assert.deepEqual(await mounted({ '/p/src/routes/index.ts': a, '/p/src/routes/router.ts': b }), [
      '/a/items',
    ]);
    assert.deepEqual(
      await mounted({
        '/p/src/app.ts': "import { items } from './routes/items'; app.route('/api', (",
      }),
      [''],
    );
  });

  it('no other file is read for code without Hono', async () => {
    const read: string[] = [];
    const files: ProjectFiles = {
      exists: async () => false,
      read: async (path) => {
        read.push(path);
        return undefined;
      },
    };
    await sourceInProject(
      '/p/src/app.ts',
      "import express from 'express';\nexport const app = express();\n",
      files,
    );
    assert.deepEqual(
      read.filter((path) => !/\/(?:package\.json|deno\.jsonc?)$/.test(path)),
      [],
    );
  });
});
