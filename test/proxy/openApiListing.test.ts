import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig, readDocument, withDocument } from '../../src/proxy/index.ts';
import { readDeclaration } from '../../src/server/catalog/declaration/readDeclaration.ts';

const CONFIG = `upstream: http://127.0.0.1:3000
payTo: GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57
routes: { 'GET /weather/{city}': 0.01, 'POST /quote': 0.01 }
`;

const DOCUMENT = `openapi: 3.0.3
paths:
  /weather/{city}:
    get:
      summary: Weather by city
      parameters:
        - { name: city, in: path, required: true, schema: { type: string } }
        - { name: units, in: query, required: true, schema: { type: string, nullable: true } }
      responses:
        '200': { content: { application/json: { schema: { type: object, required: [tempC] } } } }
  /quote:
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [grams]
              properties: { grams: { type: integer, minimum: 0, exclusiveMinimum: true } }
`;

describe('A route that an OpenAPI document describes', () => {
  const config = readConfig(CONFIG);
  const document = readDocument(DOCUMENT);
  assert.ok(config.ok && document.ok);
  const { routes } = withDocument(config.config, document.document, undefined, 'after').config;

  for (const [at, url, isTemplate] of [
    [0, 'http://127.0.0.1:4402/weather/Lima', true],
    [1, 'http://127.0.0.1:4402/quote', false],
  ] as const) {
    it(`passes every rule of the catalog: ${routes[at]?.text}`, async () => {
      const { extensions, description } = routes[at]?.about ?? {};
      const read = await readDeclaration({ resource: { url, description }, extensions });
      assert.ok(read.ok, JSON.stringify(read));
      assert.deepEqual([read.listing.templated, read.templateDropped], [isTemplate, undefined]);
    });
  }
});
