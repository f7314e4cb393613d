import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits, deadPayments, findRoutes, removePayment } from '../../src/codegen/index.ts';
import { complaints } from './complaints.ts';
import { added, removed, removeRefused } from './payments.ts';

const IMPORT = "import { Hono } from 'hono';\n\n";

/** Chains of projects, the routes that are sold in them, and the lines that their payments get. */
const CHAINS: readonly (readonly [name: string, text: string, at: readonly string[]])[] = [
  [
    'one call a line',
    `${IMPORT}const app = new Hono()
  .get('/books', (c) => c.json([{ id: 1 }]))
  // Adds one.
  .post('/books', (c) => c.json({ added: true }))
  .get('/books/:id', (c) => c.json({ id: c.req.param('id') }));

export type AppType = typeof app;
export default app;
`,
    [".get('/books',", ".post('/books'", ".get('/books/:id'"],
  ],
  [
    'calls that continue a line',
    `${IMPORT}export default new Hono().get('/a', (c) => c.text('a')).post('/b', (c) => c.text('b'));\n`,
    [".get('/a', (c) => c.text", ".post('/b', (c) => c.text"],
  ],
  [
    'an exported constant, its middleware and a base path',
    `${IMPORT}export const api = new Hono().basePath('/api')
  .use('*', async (_c, next) => next())
  .get('/first', (c) => c.json({ first: 1 })) // The first one.

  .get('/second', (c) => c.json({ second: 2 }));
`,
    [".get('/first', (c)", ".get('/second', (c)"],
  ],
  [
    'a chain that continues a named app',
    `${IMPORT}const app = new Hono();
const routes = app.get('/:any', (c) => c.text('any'))
  .get('/b', (c) => c.text('b'));
export type AppType = typeof routes;
`,
    [".get('/b', (c) => c.text"],
  ],
  [
    'an app that is created where it is mounted',
    `${IMPORT}export const app = new Hono()
  .route('/shop', new Hono().get('/price', (c) => c.json({ price: 7 })))
  .get('/health', (c) => c.text('ok'));
`,
    [".get('/price', (c)"],
  ],
  [
    'a function that returns one',
    `${IMPORT}export const createApp = () => new Hono()
  .get('/made', (c) => c.json({ made: true }));
export function other() {
  return new Hono().get('/other', (c) => c.text('other'));
}
`,
    [".get('/made', (c)", ".get('/other', (c)"],
  ],
];

describe('a chain of calls on an app of Hono', () => {
  for (const [name, text, at] of CHAINS) {
    it(`${name}: each route is sold within the chain, and the text is restored in any order`, () => {
      let paid = text;
      for (const [index, place] of at.entries()) {
        paid = added(paid, place);
        const gated = findRoutes({ path: 'src/app.ts', text: paid }).filter((each) => each.gated);
        assert.equal(gated.length, index + 1, paid);
        assert.ok(gated.every((each) => each.gated === 'marker'));
      }
      assert.equal(paid.match(/const forRoute = /g)?.length, 1);
      assert.deepEqual(deadPayments({ path: 'src/app.ts', text: paid }), []);
      for (const order of [at, at.toReversed()]) {
        let without = paid;
        for (const place of order) without = removed(without, place);
        assert.equal(without, text);
      }
    });
  }

  it('the payment is directly before its route, and HEAD is answered before the payment', () => {
    const paid = added(CHAINS[0]?.[1] ?? '', ".post('/books'");
    const chain = paid.slice(paid.indexOf('const app')).replaceAll(/\s+/g, ' ');
    assert.match(
      chain,
      /\.get\('\/books', \(c\) => c\.json\(\[\{ id: 1 \}\]\)\) \/\/ svc-x402: payments \.use\( '\/books', forRoute\(\{ 'POST \/books': \{/,
    );
    assert.match(chain, /\/\/ svc-x402: end of payments \/\/ Adds one\. \.post\('\/books', \(c\)/);
    const get = added(CHAINS[0]?.[1] ?? '', ".get('/books/:id'");
    assert.ok(get.indexOf("'HEAD'") < get.indexOf("'GET /books/:id'"));
    assert.ok(get.indexOf("'GET /books/:id'") < get.indexOf(".get('/books/:id', (c)"));
  });

  it('the comment above the call describes it', () => {
    const paid = added(CHAINS[0]?.[1] ?? '', ".post('/books'");
    assert.match(paid, /description: 'Adds one\.?'/);
    assert.doesNotMatch(paid, /TODO: say what a buyer gets/);
  });

  it('other methods of the same path stay free: the payment is that of its own method', () => {
    const paid = added(CHAINS[0]?.[1] ?? '', ".post('/books'");
    assert.match(paid, /requiresPayment = \(\{ method \}\) => \[method, '\*'\]\.includes\(verb\);/);
    const gated = findRoutes({ path: 'src/app.ts', text: paid }).map(
      ({ method, path, gated: paying }) => `${method} ${path} ${paying ?? 'free'}`,
    );
    assert.deepEqual(gated, ['GET /books free', 'POST /books marker', 'GET /books/:id free']);
  });

  it('the types that clients of the app infer are those of before', () => {
    const text = `${CHAINS[0]?.[1] ?? ''}
import { hc } from 'hono/client';
const client = hc<AppType>('http://localhost');
export async function use(): Promise<[number, boolean, string]> {
  const books = await (await client.books.$get()).json();
  const more = await (await client.books.$post()).json();
  const one = await (await client.books[':id'].$get({ param: { id: '1' } })).json();
  // @ts-expect-error no such member
  one.nothing;
  // @ts-expect-error no such route
  client.nothing;
  return [books[0]?.id ?? 0, more.added, one.id];
}
`;
    let paid = text;
    for (const place of CHAINS[0]?.[2] ?? []) paid = added(paid, place);
    const found = complaints(
      new Map([
        ['/app.ts', text],
        ['/paid.ts', paid],
      ]),
    );
    assert.deepEqual(found.get('/app.ts') ?? [], []);
    assert.deepEqual(found.get('/paid.ts') ?? [], []);
  });

  it('the catalog gets the whole path of an app that is created where it is mounted', () => {
    const [, text = ''] = CHAINS[4] ?? [];
    assert.match(added(text, ".get('/price'"), /'GET \/shop\/price': \{/);
  });

  it('a renamed route leaves a payment that is found and removed', () => {
    const [, text = ''] = CHAINS[0] ?? [];
    const paid = added(text, ".post('/books'");
    const renamed = paid.replace(".post('/books', (c)", ".post('/volumes', (c)");
    const dead = deadPayments({ path: 'src/app.ts', text: renamed });
    assert.deepEqual(
      dead.map(({ method, path }) => `${method} ${path}`),
      ['POST /books'],
    );
    const offset = dead[0]?.range.start ?? 0;
    const result = removePayment({ path: 'src/app.ts', text: renamed, offset });
    assert.ok(result.ok);
    assert.equal(
      applyEdits(renamed, result.edits),
      text.replace(".post('/books'", ".post('/volumes'"),
    );
  });

  it('a call that somebody wrote between the marks is not removed', () => {
    const [, text = ''] = CHAINS[0] ?? [];
    const paid = added(text, ".post('/books'");
    const own = paid.replace(
      '  // svc-x402: end of payments\n  // Adds',
      "  .get('/own', (c) => c.text('own'))\n$&",
    );
    assert.notEqual(own, paid);
    assert.equal(removeRefused(own, ".post('/books', (c)"), 'block_edited');
  });

  it('Windows line ends and tabs stay', () => {
    const text = (CHAINS[0]?.[1] ?? '').replaceAll('\n  ', '\n\t').replaceAll('\n', '\r\n');
    const paid = added(text, ".post('/books'");
    assert.doesNotMatch(paid, /[^\r]\n/);
    assert.match(paid, /\r\n\t\.use\(\r\n\t\t'\/books',/);
    assert.equal(removed(paid, ".post('/books', (c)"), text);
  });

  it('routers of Express without a name are refused as before', () => {
    const text =
      "import express from 'express';\nexport default express.Router().get('/a', (q, r) => r.json({}));\n";
    assert.equal(findRoutes({ path: 'src/app.ts', text })[0]?.gated, undefined);
    assert.throws(() => added(text, "'/a'"), /Assign the app or router/);
  });
});
