import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRoutes } from '../findRoutes.ts';
import { type Discovery, readDiscovery } from './discovery.ts';
import type { JsonSchema, JsonValue } from './json.ts';

/** What a file’s only route declares. */
function discover(text: string, path = 'src/app.ts'): Discovery {
  const { routes, bindings } = readRoutes({ path, text });
  const [route] = routes;
  assert.ok(route, text);
  return readDiscovery(route, bindings);
}

const EXPRESS = "import express from 'express'; const app = express();";
const FASTIFY = "import Fastify from 'fastify'; const app = Fastify();";
const ZOD = "import { z } from 'zod';";

const get = (code: string) =>
  discover(`${ZOD} ${EXPRESS} app.get('/x', (req, res) => { ${code} });`).input;
const post = (code: string) =>
  discover(`${ZOD} ${EXPRESS} app.post('/x', (req, res) => { ${code} });`).input;
const next = (code: string, method = 'GET', head = '') =>
  discover(
    `${head} export async function ${method}(request, context) { ${code} }`,
    'app/x/route.ts',
  ).input;

/** The properties that an input declares. */
function fields(input: Discovery['input']): JsonValue | undefined {
  return typeof input === 'object' ? input.schema['properties'] : input;
}

function shows(read: typeof get, cases: Readonly<Record<string, JsonValue>>): void {
  for (const [code, properties] of Object.entries(cases)) {
    it(code, () => assert.deepEqual(fields(read(code)), properties));
  }
}

const text = { type: 'string' };
const city = { city: text };

describe('input is in the query, or in a body', () => {
  for (const method of ['get', 'delete']) {
    it(`${method}: query`, () =>
      assert.equal(discover(`${EXPRESS} app.${method}('/x', (req, res) => {});`).kind, 'query'));
  }
  for (const method of ['post', 'put', 'patch']) {
    it(`${method}: body`, () =>
      assert.equal(discover(`${EXPRESS} app.${method}('/x', (req, res) => {});`).kind, 'body'));
  }
});

describe('fields are the query values that a handler reads', () => {
  shows(get, {
    'res.json(req.query.city);': city,
    "res.json(req.query['city']);": city,
    'const { city } = req.query;': city,
    'const { city: town } = req.query;': city,
    'const query = req.query; f(query.city);': city,
    'const { query } = req; f(query.city);': city,
    'const { query: { city } } = req; f(city);': 'none',
    'f((req.query).city);': city,
    'f(req.query!.city);': city,
    'f(req.query.hasOwnProperty("x"));': 'none',
    'f(1);': 'none',
    'f(req.body.city);': 'none',
    'f(req.params.city);': 'none',
    'f(other.query.city);': 'none',
  });

  it('from a destructured request', () => {
    const { input } = discover(`${EXPRESS} app.get('/x', ({ query: { city } }, res) => {});`);
    assert.deepEqual(fields(input), city);
    const whole = discover(`${EXPRESS} app.get('/x', ({ query }, res) => { f(query.city); });`);
    assert.deepEqual(fields(whole.input), city);
    const deep = `${EXPRESS} app.get('/x', ({ a: { query } }, res) => { f(query.city); });`;
    assert.equal(discover(deep).input, 'none');
  });

  it('from a request under another name', () => {
    const { input } = discover(`${EXPRESS} app.get('/x', (rq, res) => { f(rq.query.city); });`);
    assert.deepEqual(fields(input), city);
  });
});

describe('the use of a field gives its type', () => {
  const integer = { n: { type: 'integer' } };
  const number = { n: { type: 'number' } };
  shows(post, {
    'parseInt(req.body.n, 10);': integer,
    'Number.parseInt(req.body.n);': integer,
    'Number(req.body.n);': number,
    'parseFloat(req.body.n);': number,
    'Number.parseFloat((req.body.n));': number,
    'BigInt(req.body.n);': number,
    'Numbered(req.body.n);': { n: {} },
    'myNumber(req.body.n);': { n: {} },
    '+req.body.n;': number,
    '-req.body.n;': { n: {} },
    'String(req.body.n);': { n: text },
    'f(req.body.n);': { n: {} },
    'f(req.body.n as string);': { n: text },
    'f(req.body.n as number);': number,
    'f(req.body.n as Other);': { n: {} },
    'req.body.n.trim();': { n: text },
    'req.body.n!.toLowerCase();': { n: text },
    'req.body.n.toUpperCase();': { n: text },
    "req.body.n.split(',');": { n: text },
    'req.body.n.startsWith(x);': { n: text },
    'req.body.n.endsWith(x);': { n: text },
    'req.body.n.replace(x, y);': { n: text },
    'req.body.n.padStart(3);': { n: text },
    'req.body.n.map(f);': { n: {} },
    'const { n } = req.body; Number(n);': number,
    'const { n } = req.body; n.trim(); f(n);': { n: text },
    'const { n } = req.body; { const n = 1; Number(n); }': { n: {} },
    'f(req.body.n); Number(req.body.n);': number,
  });
});

describe('a fallback is the default', () => {
  shows(get, {
    "f(req.query.unit ?? 'c');": { unit: { type: 'string', default: 'c' } },
    "f(req.query.unit || 'c');": { unit: { type: 'string', default: 'c' } },
    "f((req.query.unit as string) ?? 'c');": { unit: { type: 'string', default: 'c' } },
    'f(req.query.days ?? 3);': { days: { type: 'number', default: 3 } },
    'f(req.query.all ?? false);': { all: { type: 'boolean', default: false } },
    "f(req.query.tags ?? ['a']);": { tags: { type: 'array', default: ['a'] } },
    "parseInt(req.query.days ?? '10', 10);": { days: { type: 'integer', default: 10 } },
    "Number(req.query.days || '2.5');": { days: { type: 'number', default: 2.5 } },
    "Number(req.query.days || 'many');": { days: { type: 'number' } },
    "f(req.query.unit || '');": { unit: text },
    'f(req.query.unit ?? null);': { unit: text },
    'f(req.query.unit ?? other);': { unit: text },
    "f(req.query.unit && 'c');": { unit: text },
    "f('c' ?? req.query.unit);": { unit: text },
    'const { days = 3 } = req.query;': { days: { type: 'number', default: 3 } },
    "const { unit = 'c' } = req.query;": { unit: { type: 'string', default: 'c' } },
    'const { unit = other } = req.query;': { unit: text },
  });
});

describe('a request that is passed on might be read elsewhere', () => {
  for (const code of [
    'f(req);',
    'f({ req });',
    'f(req.query);',
    'f({ ...req.query });',
    'const { ...rest } = req.query;',
    'f(req.query[name]);',
    'return req.query;',
  ]) {
    it(code, () => assert.equal(get(code), 'unknown'));
  }

  it('and the fields read here are listed anyway', () => {
    assert.deepEqual(fields(get('f(req.query.city); f(req.query);')), city);
  });

  it('a body that nobody reads might not be empty', () => {
    assert.equal(post('f(1);'), 'unknown');
    assert.equal(get('req.query;'), 'none');
  });

  it('a handler in another file might read anything', () => {
    assert.equal(discover(`${EXPRESS} app.get('/x', imported);`).input, 'unknown');
    assert.equal(
      discover(`${EXPRESS} app.get('/x', (...all) => all[0].query.a);`).input,
      'unknown',
    );
    assert.equal(discover(`${EXPRESS} app.get('/x', () => 1);`).input, 'none');
  });
});

describe('a schema or a type describes the complete input', () => {
  const Query = `${ZOD} const Query = z.object({ city: z.string() }); interface Q { city: string }`;
  const declared = (code: string) =>
    discover(`${Query} ${EXPRESS} app.get('/x', (req, res) => { ${code} });`).input;
  for (const code of [
    'const { city } = Query.parse(req.query);',
    'const q = Query.safeParse(req.query);',
    'const q = await Query.parseAsync(req.query);',
    'const q = await Query.safeParseAsync(req.query);',
    'const q = Value.Parse(Query, req.query);',
    'const q = Value.Decode(Query, req.query);',
    'if (Value.Check(Query, req.query)) f();',
    'const q: Q = req.query;',
    'const q = req.query as Q;',
    'const q = req.query as unknown as Q;',
    'const { city } = (req.query as Q);',
    'f((req.query as Q).city);',
    'f((req.query as unknown as Q).city);',
  ]) {
    it(code, () => {
      const input = declared(code);
      assert.ok(typeof input === 'object', String(input));
      assert.deepEqual(input.schema, { properties: city, required: ['city'] });
      assert.deepEqual(input.example, { city: 'city' });
      assert.equal(input.placeholder, true);
    });
  }
  for (const code of [
    'Query.unsafeParse(req.query);',
    'Query.parsed(req.query);',
    'Query.describe(req.query);',
    'parse(Query, req.query);',
  ]) {
    it(`not ${code}`, () => assert.equal(declared(code), 'unknown'));
  }

  it('types of Express are at their places', () => {
    const typed = (method: string, type: string) =>
      fields(discover(`${Query} ${EXPRESS} app.${method}('/x', (req: ${type}, res) => {});`).input);
    assert.deepEqual(typed('get', 'Request<P, R, B, Q>'), city);
    assert.deepEqual(typed('post', 'Request<P, R, Q>'), city);
    assert.equal(typed('get', 'Request<P, R, Q>'), 'none');
    const called = `${Query} ${EXPRESS} app.get<P, R, B, Q>('/x', (req, res) => {});`;
    assert.deepEqual(fields(discover(called).input), city);
  });

  it('types of Fastify have names', () => {
    const typed = (method: string, types: string) =>
      fields(discover(`${Query} ${FASTIFY} app.${method}<${types}>('/x', async (r) => 1);`).input);
    assert.deepEqual(typed('get', '{ Querystring: Q }'), city);
    assert.deepEqual(typed('post', '{ Params: P; Body: Q }'), city);
    assert.equal(typed('get', '{ Body: Q }'), 'none');
    assert.equal(typed('get', 'Types'), 'none');
    const request = `${Query} ${FASTIFY} app.get('/x', async (r: FastifyRequest<{ Querystring: Q }>) => 1);`;
    assert.deepEqual(fields(discover(request).input), city);
  });

  it('options of Fastify have schemas', () => {
    const option = (method: string, schema: string) =>
      fields(
        discover(`${Query} ${FASTIFY} app.${method}('/x', { schema: ${schema} }, async () => 1);`)
          .input,
      );
    assert.deepEqual(option('get', '{ querystring: Query }'), city);
    assert.deepEqual(option('get', '{ query: Query }'), city);
    assert.deepEqual(option('post', '{ body: Query }'), city);
    assert.equal(option('get', '{ body: Query }'), 'none');
    assert.equal(option('get', 'imported'), 'none');
    assert.equal(option('get', '{ querystring: {} }'), 'none');
  });

  it('middleware of Express is given schemas', () => {
    const checked = (method: string, middleware: string) =>
      fields(
        discover(`${Query} ${EXPRESS} app.${method}('/x', ${middleware}, (req, res) => {});`).input,
      );
    for (const middleware of [
      'validate({ query: Query })',
      'validate(1, { querystring: Query })',
      'validateQuery(Query)',
      'check.querystring(Query)',
    ]) {
      assert.deepEqual(checked('get', middleware), city, middleware);
    }
    for (const middleware of ['validate({ body: Query })', 'validateBody(Query)', 'json(Query)']) {
      assert.deepEqual(checked('post', middleware), city, middleware);
      assert.equal(checked('get', middleware), 'none', middleware);
    }
    assert.equal(checked('get', 'validateQuery()'), 'none');
  });
});

describe('a declared input has an example and requires the required fields', () => {
  it('without required fields, it requires none', () => {
    const input = get('f(req.query.days ?? 3);');
    assert.deepEqual(input, {
      example: { days: 3 },
      placeholder: false,
      schema: { properties: { days: { type: 'number', default: 3 } } },
    } satisfies { example: JsonValue; placeholder: boolean; schema: JsonSchema });
  });
});

describe('Next.js reads the query from its URL', () => {
  shows(next, {
    "request.nextUrl.searchParams.get('city');": city,
    "const { searchParams } = new URL(request.url); searchParams.get('city');": city,
    "const { searchParams } = request.nextUrl; searchParams.has('city');": city,
    "const url = new URL(request.url); url.searchParams.get('city');": city,
    "const url = request.nextUrl.clone(); url.searchParams.get('city');": city,
    "new URLSearchParams(request.url.split('?')[1]).get('city');": city,
    'const { city } = Object.fromEntries(request.nextUrl.searchParams);': city,
    'const { city } = Object.fromEntries(request.nextUrl.searchParams.entries());': city,
    "request.nextUrl.searchParams.getAll('tags');": { tags: { type: 'array', items: text } },
    "Number(request.nextUrl.searchParams.get('n') ?? '3');": { n: { type: 'number', default: 3 } },
    'request.nextUrl.searchParams.get(name);': 'unknown',
    "new URL(other.url).searchParams.get('city');": 'none',
    "new URL('http://x').searchParams.get('city');": 'none',
    "new URLSearchParams(other).get('city');": 'none',
    "request.headers.get('city');": 'none',
    "request.nextUrl.searchParams.delete('city');": 'none',
    'const { id } = await context.params;': 'none',
  });
});

describe('Next.js reads a body as JSON or as a form', () => {
  shows((code) => next(code, 'POST'), {
    'const { city } = await request.json();': { city: {} },
    'const body = await request.json(); f(body.city);': { city: {} },
    'const body = (await request.json()) ?? {}; f(body.city);': { city: {} },
    "const form = await request.formData(); form.get('file');": { file: {} },
    "(await request.formData()).get('file');": { file: {} },
    "form.get('file');": 'unknown',
    "const body = await request.json(); f(body.get); body.has('x');": { get: {} },
    "const form = await request.formData(); form.set('file', 1);": 'unknown',
    'const body = await other.json(); f(body.city);': 'unknown',
  });

  it('with a type', () => {
    const head = 'interface B { city: string }';
    for (const code of [
      'const body: B = await request.json();',
      'const body = (await request.json()) as B;',
      'const { city } = (await request.json()) as B;',
    ]) {
      assert.deepEqual(fields(next(code, 'POST', head)), city, code);
    }
  });
});

describe('path parameters are optional strings', () => {
  const params = (code: string) => discover(code).pathParams;

  it('one for each of the path', () => {
    assert.deepEqual(params(`${EXPRESS} app.get('/:a/:b', (req, res) => {});`), {
      properties: { a: text, b: text },
    });
    assert.equal(params(`${EXPRESS} app.get('/a', (req, res) => {});`), undefined);
  });

  it('with the description of the schema', () => {
    const schema =
      "{ type: 'object', properties: { a: { type: 'integer', description: 'An id' } } }";
    assert.deepEqual(
      params(`${FASTIFY} app.get('/:a/:b', { schema: { params: ${schema} } }, async () => 1);`),
      { properties: { a: { type: 'string', description: 'An id' }, b: text } },
    );
    const typed = '{\n/** An id */ a: string }';
    assert.deepEqual(
      params(`${FASTIFY} app.get<{ Params: ${typed} }>('/:a', async (request) => 1);`),
      { properties: { a: { type: 'string', description: 'An id' } } },
    );
    assert.deepEqual(params(`${EXPRESS} app.get('/:a', (req: Request<${typed}>, res) => {});`), {
      properties: { a: { type: 'string', description: 'An id' } },
    });
  });
});

describe('an output is the code’s answer, else the declared one', () => {
  const output = (code: string) => {
    const { output, mimeType } = discover(code);
    return [output, mimeType];
  };
  const json = 'application/json';
  const answers = (code: string) => output(`${EXPRESS} app.get('/x', (req, res) => { ${code} });`);

  it('an object is its own example, and other values have a schema', () => {
    const known = (example: JsonValue, type?: string) => ({
      example,
      schema: type === undefined ? undefined : { type },
      placeholder: false,
    });
    assert.deepEqual(answers('res.json({ a: 1 });'), [known({ a: 1 }), json]);
    assert.deepEqual(answers('res.json([1]);'), [known([1], 'array'), json]);
    assert.deepEqual(answers('res.json(3);'), [known(3, 'number'), json]);
    assert.deepEqual(answers('res.json(null);'), [known(null, 'null'), json]);
    assert.deepEqual(answers("res.send('ok');"), [known('ok', 'string'), undefined]);
  });

  it('returned input has the value of its example', () => {
    const [shown] = answers('const { days = 3 } = req.query; res.json({ days });');
    assert.deepEqual(shown, { example: { days: 3 }, schema: undefined, placeholder: true });
    const [named] = output(
      `${EXPRESS} app.get('/:city', (req, res) => { res.json({ city: req.params.city }); });`,
    );
    assert.deepEqual(named, { example: { city: 'city' }, schema: undefined, placeholder: true });
  });

  it('unknown values are left out, but JSON is declared', () => {
    assert.deepEqual(answers('res.json(load());'), ['unknown', json]);
    assert.deepEqual(answers('res.end(load());'), ['unknown', undefined]);
    assert.deepEqual(output(`${EXPRESS} app.get('/x', imported);`), ['unknown', undefined]);
  });

  it('a declared answer takes precedence over one with names only', () => {
    const Reply = "{ type: 'object', properties: { a: { type: 'integer' } } }";
    const declared = [{ example: { a: 1 }, schema: undefined, placeholder: false }, json];
    const option = (status: string, code: string) =>
      output(
        `${FASTIFY} app.get('/x', { schema: { response: { ${status}: ${Reply} } } }, async () => ${code});`,
      );
    for (const status of ['200', "'2xx'", '201']) {
      assert.deepEqual(option(status, 'load()'), declared, status);
      assert.deepEqual(option(status, '({ b: load() })'), declared, status);
    }
    assert.deepEqual(option('404', 'load()'), ['unknown', undefined]);
    assert.deepEqual(option('200', '({ b: 2 })'), [
      { example: { b: 2 }, schema: undefined, placeholder: false },
      json,
    ]);
    const typed = `${FASTIFY} app.get<{ Reply: { a: 4 } }>('/x', async () => load());`;
    assert.deepEqual(output(typed), [
      { example: { a: 4 }, schema: undefined, placeholder: false },
      json,
    ]);
    const express = `${EXPRESS} app.get('/x', (req: Request<P, { a: 4 }>, res) => {});`;
    assert.deepEqual(output(express), output(typed));
  });

  it('names only are better than nothing', () => {
    assert.deepEqual(answers('res.json({ a: load() });'), [
      { example: { a: null }, schema: undefined, placeholder: true },
      json,
    ]);
  });
});
