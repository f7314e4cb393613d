import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRoutes } from '../findRoutes.ts';
import { servedUnder } from './servedUnder.ts';

const EXPRESS = "import express from 'express';\nconst app = express();\n";
const ROUTER =
  "import { Router } from 'express';\nconst router = Router();\nrouter.get('/quote', (req, res) => res.json({}));\nexport default router;\n";
const COMMON =
  "const { Router } = require('express');\nconst router = Router();\nrouter.get('/quote', (req, res) => res.json({}));\nmodule.exports = router;\n";
const PLUGIN =
  "export default async function (app) {\n  app.get('/quote', async (request, reply) => reply.send({}));\n}\n";
const FASTIFY = "import Fastify from 'fastify';\nconst app = Fastify();\n";

/** The path in URLs of the one route of a file. */
async function served(file: string, contents: Readonly<Record<string, string>>): Promise<string> {
  const text = contents[file] ?? '';
  const isFastify = Object.values(contents).some((other) => other.includes('fastify'));
  const dependencies = [isFastify ? 'fastify' : 'express'];
  const [route] = findRoutes({ path: file, text, dependencies });
  assert.ok(route, 'no route');
  const asked = { file: `/app/${file}`, text, folder: '/app', route };
  const before = await servedUnder(asked, {
    exists: async (path) => path.slice(5) in contents,
    read: async (path) => contents[path.slice(5)],
  });
  return `${before}${route.path}`;
}

describe('the path of a route in URLs', () => {
  const cases: readonly (readonly [string, string, Readonly<Record<string, string>>, string])[] = [
    [
      'a router that another file mounts',
      'src/routes/orders.ts',
      {
        'src/routes/orders.ts': ROUTER,
        'src/app.ts': `${EXPRESS}import orders from './routes/orders.js';\napp.use('/api', json(), orders);\n`,
      },
      '/api/quote',
    ],
    [
      'a router that is required where it is mounted',
      'routes/orders.js',
      {
        'routes/orders.js': COMMON,
        'server.js':
          "const app = require('express')();\napp.use('/api/v1/', require('./routes/orders'));\n",
      },
      '/api/v1/quote',
    ],
    [
      'a router in a router of a third file',
      'src/routes/orders.ts',
      {
        'src/routes/orders.ts': ROUTER,
        'src/routes/index.ts':
          "import { Router } from 'express';\nimport orders from './orders.ts';\nexport const api = Router();\nconst inner = Router();\ninner.use('/orders', orders);\napi.use('/shop', inner);\n",
        'src/app.ts': `${EXPRESS}import { api } from './routes/index.ts';\nconst BASE = '/api';\napp.use(BASE, api);\n`,
      },
      '/api/shop/orders/quote',
    ],
    [
      'a router that is mounted without a path',
      'src/routes/orders.ts',
      {
        'src/routes/orders.ts': ROUTER,
        'src/app.ts': `${EXPRESS}import orders from './routes/orders.js';\napp.use(orders);\n`,
      },
      '/quote',
    ],
    [
      'a router of the same file',
      'app.ts',
      {
        'app.ts': `${EXPRESS}const router = express.Router();\nrouter.get('/quote', (req, res) => res.json({}));\napp.use('/api', router);\n`,
      },
      '/api/quote',
    ],
    [
      'a plugin that another file registers with a prefix',
      'src/routes/orders.ts',
      {
        'src/routes/orders.ts': PLUGIN,
        'src/server.ts': `${FASTIFY}import orders from './routes/orders.ts';\nawait app.register(orders, { prefix: '/v1' });\n`,
      },
      '/v1/quote',
    ],
    [
      'a plugin that is imported where it is registered',
      'src/routes/orders.ts',
      {
        'src/routes/orders.ts': PLUGIN,
        'src/server.ts': `${FASTIFY}app.register(import('./routes/orders.js'), { prefix: 'v2' });\n`,
      },
      '/v2/quote',
    ],
    [
      'a plugin of the same file',
      'server.ts',
      {
        'server.ts': `${FASTIFY}app.register(routes, { prefix: '/v1' });\nasync function routes(f) {\n  f.get('/quote', async (request, reply) => reply.send({}));\n}\n`,
      },
      '/v1/quote',
    ],
    [
      'an app that mounts other routers only',
      'app.ts',
      {
        'app.ts': `${EXPRESS}import orders from './orders.js';\napp.use('/api', orders);\napp.get('/quote', (req, res) => res.json({}));\n`,
      },
      '/quote',
    ],
    [
      'files that mount each other',
      'src/app.ts',
      {
        'src/app.ts': `${EXPRESS}import other from './index.ts';\napp.use('/a', other);\napp.get('/quote', (req, res) => res.json({}));\nexport default app;\n`,
        'src/index.ts': `${EXPRESS}import app from './app.ts';\nother.use('/b', app);\nexport const other = express();\n`,
      },
      '/b/quote',
    ],
  ];
  for (const [name, file, contents, expected] of cases) {
    it(name, async () => assert.equal(await served(file, contents), expected));
  }
});
