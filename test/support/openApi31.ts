import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

const ajv = new Ajv2020({ strict: false, validateFormats: false });

// The published schema leaves the dialect of schemas open; ours is JSON Schema 2020-12, to which each is held.
const published = readFileSync(new URL('./openApi31.schema.json', import.meta.url), 'utf8');
const validate = ajv.compile(
  JSON.parse(published.replaceAll('"$dynamicRef": "#meta"', '"$ref": "#/$defs/schema"')) as object,
);

/** Returns every schema of a parameter, a request or an answer. */
function schemasIn(value: unknown): (object | boolean)[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === 'example' || name.startsWith('x-')) return [];
    return name === 'schema' ? [inner as object | boolean] : schemasIn(inner);
  });
}

/**
 * Holds a document to the published JSON Schema of OpenAPI 3.1, and each schema in it to JSON Schema 2020-12.
 * @returns how many schemas it has
 */
export function assertOpenApi31(document: unknown): number {
  assert.ok(validate(document), JSON.stringify(validate.errors));
  assert.match((document as { openapi: string }).openapi, /^3\.1\./);
  const schemas = schemasIn(document);
  for (const one of schemas) {
    assert.ok(ajv.validateSchema(one), JSON.stringify(ajv.errors));
    ajv.compile(one);
  }
  return schemas.length;
}
