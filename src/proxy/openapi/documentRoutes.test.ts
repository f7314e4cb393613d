import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTarget } from '../../seller/index.ts';
import { readConfig } from '../config/readConfig.ts';
import { findRoute } from '../routes.ts';
import { withDocument } from './documentRoutes.ts';
import { readDocument } from './readDocument.ts';
import { jsonSchema, resolve } from './resolve.ts';

const PAY_TO = 'GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57';

const DOCUMENT = `
openapi: 3.0.3
info: { title: Weather, version: '1' }
paths:
  /weather/{city}:
    parameters:
      - { name: city, in: path, required: true, schema: { type: string } }
    get:
      operationId: weather
      summary: Weather by city
      tags: [weather]
      parameters:
        - $ref: '#/components/parameters/units'
      responses:
        '200':
          description: The weather
          content:
            application/json: { schema: { $ref: '#/components/schemas/Weather' } }
  /quote:
    post:
      description: A quote for a parcel
      x-payment-info: { price: { mode: fixed, currency: USD, amount: '0.05' } }
      requestBody:
        content:
          application/json:
            schema: { type: object, required: [grams], properties: { grams: { type: integer, minimum: 0, exclusiveMinimum: true } } }
      responses: { '201': { description: ok } }
  /reports/{name}.pdf:
    get: { responses: { '200': { description: ok } } }
components:
  parameters:
    units: { name: units, in: query, schema: { type: string, nullable: true, enum: [metric, imperial] } }
  schemas:
    Weather:
      type: object
      properties: { tempC: { type: number }, nearby: { type: array, items: { $ref: '#/components/schemas/Weather' } } }
`;

function configured(routes = ''): Parameters<typeof withDocument>[0] & { otherwise: unknown } {
  const read = readConfig(`upstream: http://127.0.0.1:3000\npayTo: ${PAY_TO}\n${routes}`);
  assert.ok(read.ok);
  return read.config;
}

function documentIn(text: string): Readonly<Record<string, unknown>> {
  const read = readDocument(text);
  assert.ok(read.ok, JSON.stringify(read));
  return read.document;
}

const cent = { kind: 'fixed', amount: 100_000n } as Parameters<typeof withDocument>[2];
const routesOf = (
  price: typeof cent,
  { text = DOCUMENT, routes = '' }: { text?: string; routes?: string } = {},
) => withDocument(configured(routes), documentIn(text), price, 'after');

describe('An OpenAPI document', () => {
  it('makes a route of each operation, with its own price or the one for all', () => {
    const { config, unsold } = routesOf(cent);
    assert.deepEqual(
      config.routes.map(({ text, about }) => [text, about?.price]),
      [
        ['GET /weather/{city}', { kind: 'fixed', amount: 100_000n }],
        ['POST /quote', { kind: 'fixed', amount: 500_000n }],
      ],
    );
    assert.deepEqual(unsold, [
      { text: 'GET /reports/{name}.pdf', why: 'its path has another form than a route' },
    ]);
  });

  it('leaves an operation closed that has no price', () => {
    const { config, unsold } = routesOf(undefined);
    assert.deepEqual(
      config.routes.map(({ text }) => text),
      ['POST /quote'],
    );
    const target = readTarget('/weather/Lima');
    const access = findRoute(config.routes, { method: 'GET', target, contentType: undefined });
    assert.equal(access.kind, 'otherwise');
    assert.deepEqual(unsold[0], { text: 'GET /weather/{city}', why: 'it has no price' });
  });

  it('gives its words to a route of the configuration, which keeps its price and its own words', () => {
    const routes = `routes:
  GET /weather/{town}: { price: 0.02, description: Mine }
  POST /quote: free`;
    const { config } = routesOf(cent, { routes });
    const [weather, quote] = config.routes;
    assert.equal(config.routes.length, 2);
    assert.deepEqual(
      [weather?.about?.price, weather?.about?.description, weather?.about?.mimeType],
      [{ kind: 'fixed', amount: 200_000n }, 'Mine', 'application/json'],
    );
    assert.equal(quote?.about, undefined);
  });

  it('says in words and schemas what each route takes and returns', () => {
    const { config } = routesOf(cent);
    const [weather, quote] = config.routes;
    assert.equal(weather?.about?.description, 'Weather by city');
    assert.deepEqual(weather?.about?.tags, ['weather']);
    const bazaar = weather?.about?.extensions['bazaar'] as {
      readonly routeTemplate: string;
      readonly schema: { readonly properties: Readonly<Record<string, { properties: unknown }>> };
    };
    assert.equal(bazaar.routeTemplate, '/weather/{city}');
    assert.deepEqual(bazaar.schema.properties['input']?.properties, {
      type: { type: 'string', const: 'http' },
      method: { type: 'string', enum: ['GET'] },
      queryParams: {
        type: 'object',
        properties: { units: { type: ['string', 'null'], enum: ['metric', 'imperial'] } },
      },
      pathParams: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    });
    assert.deepEqual(Object.keys(weather?.about?.operation ?? {}), [
      'operationId',
      'parameters',
      'responses',
    ]);
    assert.match(JSON.stringify(quote?.about?.extensions), /"exclusiveMinimum":0/);
  });

  it('puts the path of its first server before its paths, unless the API has it', () => {
    const text = DOCUMENT.replace('paths:', "servers: [{ url: '/v1' }]\npaths:");
    assert.equal(routesOf(cent, { text }).config.routes[0]?.text, 'GET /v1/weather/{city}');
    const below = { ...configured(), upstream: new URL('http://127.0.0.1:3000/v1/') };
    const { config } = withDocument(below, documentIn(text), cent, 'after');
    assert.equal(config.routes[0]?.text, 'GET /weather/{city}');
  });

  it('follows references inside of itself only, and ends circles', () => {
    const document = {
      a: { $ref: '#/b' },
      b: { again: { $ref: '#/a' }, file: { $ref: 'other.yaml#/x' }, far: { $ref: 'http://x/y' } },
      own: { $ref: '#/__proto__/x' },
    };
    assert.deepEqual(resolve(document, document.a), { again: {}, file: {}, far: {} });
    assert.deepEqual(resolve(document, document.own), {});
  });

  it('is bounded, however its references multiply', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `s${at}`,
        { allOf: Array.from({ length: 10 }, () => ({ $ref: `#/s${at + 1}` })) },
      ]),
    );
    const text = JSON.stringify(resolve(schemas, { $ref: '#/s0' }));
    assert.ok(text.length < 200_000, String(text.length));
    const deep = { $ref: '#/s0' };
    const paths = { '/x': { get: { responses: { 200: { content: { a: { schema: deep } } } } } } };
    const { config } = withDocument(configured(), { ...schemas, paths }, cent, 'after');
    assert.ok(JSON.stringify(config.routes[0]?.about?.extensions).length < 7_000);
  });

  it('keeps values of an enumeration unchanged, and drops what only OpenAPI knows', () => {
    const schema = {
      enum: [{ nullable: true }],
      example: 1,
      'x-a': 2,
      properties: { example: {} },
    };
    assert.deepEqual(jsonSchema(schema), {
      enum: [{ nullable: true }],
      properties: { example: {} },
    });
  });

  for (const [what, text, message, line] of [
    ['of version 2', 'swagger: "2.0"', /not an OpenAPI document of version 3/, 1],
    ['without paths', 'openapi: 3.1.0', /no paths/, 1],
    ['that is broken', 'openapi: 3.1.0\npaths: [', /./, 2],
    ['that is too long', `openapi: 3.1.0\n# ${'x'.repeat(4 << 20)}`, /longer than 4 MiB/, 1],
    [
      'whose aliases multiply',
      `a: &a [${'x,'.repeat(50)}]\nb: &b [${'*a,'.repeat(50)}]\nc: [${'*b,'.repeat(50)}]\nopenapi: 3.1.0`,
      /too many aliases/,
      1,
    ],
  ] as const) {
    it(`${what} is refused, with a place`, () => {
      const read = readDocument(text);
      assert.ok(!read.ok);
      assert.match(read.problems[0]?.message ?? '', message);
      assert.equal(read.problems[0]?.line, line);
    });
  }
});
