import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addPayment } from '../../src/codegen/index.ts';
import { added, removed } from './payments.ts';

const EXPRESS =
  "import cors from 'cors';\nimport express from 'express';\n\nconst app = express();\n";
const HONO =
  "import { Hono } from 'hono';\nimport { cors } from 'hono/cors';\n\nconst app = new Hono();\n";
const FASTIFY =
  "import cors from '@fastify/cors';\nimport Fastify from 'fastify';\n\nconst app = Fastify();\n";
const HEADERS = "['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE']";

/** Apps that set up CORS, and the line that lets browsers pay. */
const APPS: readonly (readonly [name: string, text: string, line: string])[] = [
  [
    'Express without options',
    `${EXPRESS}app.use(cors());\napp.get('/a', (q, r) => r.json({}));\n`,
    `app.use(cors({ exposedHeaders: ${HEADERS} }));`,
  ],
  [
    'Express with options of its own lines',
    `${EXPRESS}app.use(\n  cors({\n    origin: 'https://shop.example',\n  }),\n);\napp.get('/a', (q, r) => r.json({}));\n`,
    `    exposedHeaders: ${HEADERS},\n    origin: 'https://shop.example',`,
  ],
  [
    'options in a constant, with a list of allowed headers',
    `${EXPRESS}const options = { origin: true, allowedHeaders: ['X-Key'] };\napp.use(cors(options));\napp.get('/a', (q, r) => r.json({}));\n`,
    `const options = { exposedHeaders: ${HEADERS}, origin: true, allowedHeaders: ['X-Key', 'PAYMENT-SIGNATURE'] };`,
  ],
  [
    'Hono without options',
    `${HONO}app.use('/api/*', cors());\napp.get('/a', (c) => c.json({}));\n`,
    `app.use('/api/*', cors({ exposeHeaders: ${HEADERS} }));`,
  ],
  [
    'Hono with a list of exposed headers',
    `${HONO}app.use(cors({ origin: '*', exposeHeaders: ['X-Total'] }));\napp.get('/a', (c) => c.json({}));\n`,
    "exposeHeaders: ['X-Total', 'PAYMENT-REQUIRED', 'PAYMENT-RESPONSE']",
  ],
  [
    'Fastify without options',
    `${FASTIFY}await app.register(cors);\napp.get('/a', async () => ({}));\n`,
    `await app.register(cors, { exposedHeaders: ${HEADERS} });`,
  ],
  [
    'Fastify with options',
    `${FASTIFY}await app.register(cors, { origin: true });\napp.get('/a', async () => ({}));\n`,
    `await app.register(cors, { exposedHeaders: ${HEADERS}, origin: true });`,
  ],
];

const notesOf = (text: string, dependencies?: readonly string[]) => {
  const result = addPayment({
    path: 'src/app.ts',
    text,
    offset: text.indexOf("'/a'"),
    price: '0.01',
    payTo: 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57',
    facilitatorUrl: 'http://127.0.0.1:4021',
    dependencies,
  });
  assert.ok(result.ok);
  return result.notes.filter(({ id }) => id === 'cors').map(({ sentence }) => sentence);
};

describe('CORS of a seller whose buyers are browsers', () => {
  for (const [name, text, line] of APPS) {
    it(`${name}: the headers of a payment are exposed, and removed with the last one`, () => {
      const paid = added(text, "'/a'");
      assert.ok(paid.includes(line), paid);
      assert.equal(removed(paid, 'svc-x402: payments'), text);
      assert.deepEqual(notesOf(text), [
        'CORS exposes PAYMENT-REQUIRED and PAYMENT-RESPONSE, which buyers in browsers read.',
      ]);
    });
  }

  it('a second payment changes nothing, and the headers stay until the last one is removed', () => {
    const text = `${APPS[0]?.[1] ?? ''}app.get('/b', (q, r) => r.json({}));\n`;
    const two = added(added(text, "'/a'"), "'/b', (q");
    assert.equal(two.match(/exposedHeaders/g)?.length, 1);
    const one = removed(two, "'/b', (q");
    assert.match(one, /exposedHeaders/);
    assert.equal(removed(one, "'/a', (q"), text);
  });

  it('headers that are exposed already stay as they are written', () => {
    const text = `${EXPRESS}app.use(cors({ origin: true, exposedHeaders: ['payment-response', 'Payment-Required'] }));\napp.get('/a', (q, r) => r.json({}));\n`;
    const paid = added(text, "'/a'");
    assert.equal(paid.match(/exposedHeaders/g)?.length, 1);
    assert.equal(removed(paid, "'/a', (q"), text);
    assert.deepEqual(notesOf(text), []);
  });

  it('options from elsewhere, or CORS in another file, get a note with what to write', () => {
    for (const given of [
      'cors(settings)',
      'cors((req, done) => done(null, {}))',
      'cors({ ...base })',
    ]) {
      const text = `import { settings, base } from './settings';\n${EXPRESS}app.use(${given});\napp.get('/a', (q, r) => r.json({}));\n`;
      assert.doesNotMatch(added(text, "'/a'"), /exposedHeaders/);
      assert.match(notesOf(text)[0] ?? '', /CORS has to expose two headers: exposedHeaders: \[/);
    }
    const router =
      "import { Router } from 'express';\nconst app = Router();\napp.get('/a', (q, r) => r.json({}));\n";
    assert.equal(notesOf(router, ['express', 'cors']).length, 1);
    assert.deepEqual(notesOf(router, ['express']), []);
  });

  it('CORS below the payment is named with its line: the answer that asks would have no CORS', () => {
    const text = `${HONO}app.get('/a', (c) => c.json({}));\napp.use(cors());\n`;
    assert.match(notesOf(text)[0] ?? '', /^Line 6 sets up CORS below this payment/);
  });
});
