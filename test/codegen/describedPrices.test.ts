import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addPayment, applyEdits, setPrice } from '../../src/codegen/index.ts';
import { added, removed } from './payments.ts';

const PAYEE = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';
const SWAGGER = ['fastify', '@fastify/swagger'];

/** What a file becomes, with the notes about it. */
function adding(text: string, at: string, path: string, dependencies?: readonly string[]) {
  const result = addPayment({
    path,
    text,
    offset: text.indexOf(at),
    price: '0.01',
    payTo: PAYEE,
    facilitatorUrl: 'http://127.0.0.1:4021',
    dependencies,
  });
  assert.ok(result.ok, result.ok ? '' : result.refusal.message);
  return {
    text: applyEdits(text, result.edits),
    notes: result.notes.map(({ sentence }) => sentence).join('\n'),
  };
}

/** The code from the end of the payment on, which is the route itself. */
function routeIn(text: string): string {
  return text.slice(text.indexOf('// svc-x402: end of payments'));
}

function fastify(route: string): string {
  return `const app = require('fastify')();\n\n${route}\n\nmodule.exports = app;\n`;
}

function hono(operation: string): string {
  return `import { Hono } from 'hono';
import { describeRoute } from 'hono-openapi';

const app = new Hono();

app.get(
  '/x',
  describeRoute(${operation}),
  (c) => c.json({ ok: true }),
);
`;
}

describe('the price in an OpenAPI document that the route’s code produces', () => {
  const lines = fastify(`app.get(
  '/x',
  {
    schema: { // of swagger
      // what it is
      summary: 'X',
      response: {
        200: { type: 'object' },
      },
    },
  },
  async () => ({ ok: true }),
);`);

  it('is written into Fastify’s schema, with the 402 response, and removed byte for byte', () => {
    const { text, notes } = adding(lines, "'/x'", 'src/app.js', SWAGGER);
    assert.match(
      routeIn(text),
      /schema: \{ \/\/ of swagger\n {6}'x-payment-info': \{\n {8}price: \{ mode: 'fixed', currency: 'USD', amount: '0.01' \},\n {8}protocols: \[\{ x402: \{\} \}\],\n {6}\},\n {6}\/\/ what it is/,
    );
    assert.match(
      text,
      /response: \{\n {8}402: \{ description: 'Payment required \(x402\)' \},\n {8}200/,
    );
    assert.match(
      notes,
      /The OpenAPI document of @fastify\/swagger has the price in x-payment-info/,
    );
    assert.equal(removed(text, "'/x'", 'src/app.js'), lines);
  });

  it('is not written if no document is made of the schema', () => {
    const { text, notes } = adding(lines, "'/x'", 'src/app.js', ['fastify']);
    assert.doesNotMatch(text, /x-payment-info/);
    assert.doesNotMatch(notes, /OpenAPI/);
  });

  it('puts the response on the same line as the others if there is room', () => {
    for (const [response, written] of [
      ['{ 200: {} }', "{ 402: { description: 'Payment required (x402)' }, 200: {} }"],
      ['{200: {}}', "{402: { description: 'Payment required (x402)' }, 200: {}}"],
      [`{ 200: { description: '${'x'.repeat(30)}' } }`, undefined],
    ] as const) {
      const before = fastify(`app.get(
  '/x',
  {
    schema: {
      response: ${response},
    },
  },
  async () => ({ ok: true }),
);`);
      const { text, notes } = adding(before, "'/x'", 'src/app.js', SWAGGER);
      assert.ok(text.includes(`response: ${written ?? response},`), text);
      assert.equal(/describe that one by hand/.test(notes), written === undefined);
      assert.equal(removed(text, "'/x'", 'src/app.js'), before);
    }
  });

  it('keeps Windows line ends and tabs', () => {
    const before = lines.replaceAll('  ', '\t').replaceAll('\n', '\r\n');
    const { text } = adding(before, "'/x'", 'src/app.js', SWAGGER);
    assert.match(text, /\r\n\t\t\t'x-payment-info': \{\r\n/);
    assert.doesNotMatch(text, /[^\r]\n/);
    assert.equal(removed(text, "'/x'", 'src/app.js'), before);
  });

  it('is left to the user if a schema is shared, computed, empty or on one line, with a note', () => {
    const shared = fastify(`const opts = { schema: { summary: 'X' } };
app.get('/x', opts, async () => ({ ok: true }));
app.get('/y', opts, async () => ({ ok: true }));`);
    const computed = fastify(`app.get('/x', { schema: make() }, async () => ({ ok: true }));`);
    const empty = fastify(`app.get('/x', { schema: {} }, async () => ({ ok: true }));`);
    const short = fastify(
      `app.get('/x', { schema: { summary: 'X' } }, async () => ({ ok: true }));`,
    );
    for (const before of [shared, computed, empty, short]) {
      const { text, notes } = adding(before, "'/x'", 'src/app.js', SWAGGER);
      assert.doesNotMatch(text, /x-payment-info/);
      assert.match(notes, /does not include the price, because .* by hand/);
      assert.equal(removed(text, "'/x'", 'src/app.js'), before);
    }
  });

  it('does not change existing members, even when the payment is removed', () => {
    for (const own of [
      `{ price: { mode: 'fixed', currency: 'USD', amount: '0.5' }, protocols: [{ x402: {} }, { mpp: {} }] }`,
      `priceOf('/x')`,
    ]) {
      const schema = `{ 'x-payment-info': ${own}, response: { 402: { description: 'Pay' } } }`;
      const before = fastify(`app.get('/x', { schema: ${schema} }, async () => ({ ok: true }));`);
      const { text, notes } = adding(before, "'/x'", 'src/app.js', SWAGGER);
      assert.ok(text.includes(schema));
      assert.match(notes, /has x-payment-info already, which was not changed/);
      assert.equal(removed(text, "'/x'", 'src/app.js'), before);
    }
  });

  it('adds no response if a validator would refuse it or types would widen, with a note', () => {
    const typed = `import { fastify } from 'fastify';
import { z } from 'zod';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';

const app = fastify().withTypeProvider<ZodTypeProvider>();

app.get('/x', {
  schema: {
    response: {
      200: { type: 'object' },
    },
  },
}, async () => ({ ok: true }));
`;
    const zod = fastify(
      `app.get('/x', {
  schema: {
    response: {
      200: z.object({}),
    },
  },
}, async () => ({ ok: true }));`,
    );
    for (const [before, path] of [
      [typed, 'src/app.ts'],
      [zod, 'src/app.js'],
    ] as const) {
      const { text, notes } = adding(before, "'/x'", path, SWAGGER);
      assert.match(text, /x-payment-info/);
      assert.doesNotMatch(text, /[^x]402:/);
      assert.match(notes, /describe that one by hand/);
      assert.equal(removed(text, "'/x'", path), before);
    }
  });

  it('is written into describeRoute of hono-openapi, and TypeScript accepts it', () => {
    const before = hono(`{
    summary: 'X',
    responses: {
      200: { description: 'Yes' },
    },
  }`);
    const { text } = adding(before, "'/x'", 'src/app.ts');
    assert.match(
      routeIn(text),
      /describeRoute\(\{\n {4}\.\.\.\{\n {6}'x-payment-info': [\s\S]* {4}\},\n {4}summary: 'X',\n {4}responses: \{\n {6}402: \{ description: 'Payment required \(x402\)' \},\n {6}200/,
    );
    assert.equal(removed(text, "'/x'", 'src/app.ts'), before);
  });

  it('is not written into the user’s own function named describeRoute', () => {
    const before = hono("{\n    summary: 'X',\n  }").replace("'hono-openapi'", "'./mine.js'");
    assert.doesNotMatch(adding(before, "'/x'", 'src/app.ts').text, /x-payment-info/);
  });

  describe('with `svc-x402 price`', () => {
    function priced(text: string, price: string) {
      const result = setPrice({
        path: 'src/app.js',
        text,
        offset: text.lastIndexOf("'/x'"),
        price,
      });
      assert.ok(result.ok, result.ok ? '' : result.refusal.message);
      return { text: applyEdits(text, result.edits), notes: result.notes };
    }

    it('is updated', () => {
      const paid = adding(lines, "'/x'", 'src/app.js', SWAGGER).text;
      const { text, notes } = priced(paid, '0.25');
      assert.match(text, /price: '\$0\.25'/);
      assert.match(text, /currency: 'USD', amount: '0\.25' \}/);
      assert.doesNotMatch(text, /0\.01/);
      assert.deepEqual(notes, []);
      assert.equal(removed(text, "'/x'", 'src/app.js'), lines);
    });

    it('is in dollars even if the code has atomic units', () => {
      const paid = adding(lines, "'/x'", 'src/app.js', SWAGGER).text;
      const { text } = priced(paid, '123456789.0000001');
      assert.match(text, /amount: '1234567890000001'/);
      assert.match(text, /currency: 'USD', amount: '123456789\.0000001'/);
    });

    it('is kept if somebody else wrote it, with a note', () => {
      const paid = added(
        fastify(
          `app.get('/x', { schema: { 'x-payment-info': mine } }, async () => ({ ok: true }));`,
        ),
        "'/x'",
        { path: 'src/app.js', dependencies: SWAGGER },
      );
      const { text, notes } = priced(paid, '0.25');
      assert.ok(text.includes("'x-payment-info': mine"));
      assert.match(notes.map(({ sentence }) => sentence).join(), /so its price was not changed/);
    });
  });

  it('is removed from one route only', () => {
    const route = (name: string) =>
      `app.get('/${name}', {\n  schema: {\n    summary: '${name}',\n  },\n}, async () => ({ ok: true }));`;
    const before = fastify(`${route('x')}\n${route('y')}`);
    const first = adding(before, "'/x'", 'src/app.js', SWAGGER).text;
    const second = adding(first, "app.get('/y'", 'src/app.js', SWAGGER).text;
    assert.equal(second.match(/'x-payment-info'/g)?.length, 2);
    const left = removed(second, "app.get('/x'", 'src/app.js');
    assert.match(left, /schema: \{\n {4}summary: 'x'/);
    assert.match(left, /'x-payment-info': [\s\S]*summary: 'y'/);
    assert.equal(removed(left, "app.get('/y'", 'src/app.js'), before);
  });
});
