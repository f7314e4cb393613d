import { isObject } from './readDocument.ts';

type Json = Readonly<Record<string, unknown>>;

/** How deep a value may be, with what its references lead to. */
const MAX_DEPTH = 20;
/** Values that one operation may have, with what its references lead to. */
const MAX_VALUES = 5_000;

/** Follows `#/components/…` in a document; `undefined` for anything else, so that no other file or server is ever asked. */
function target(document: Json, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let at: unknown = document;
  for (const part of reference.slice(2).split('/')) {
    let name: string;
    try {
      name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    } catch {
      return undefined;
    }
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Json)[name];
  }
  return at;
}

/**
 * Returns a value with its references replaced by what they lead to in the document. References to other documents, ones that
 * lead nowhere, circles, and what exceeds the bounds become `{}`, which as a schema allows everything.
 */
export function resolve(document: Json, value: unknown): unknown {
  let left = MAX_VALUES;
  const walk = (at: unknown, depth: number, open: ReadonlySet<string>): unknown => {
    left -= 1;
    if (left < 0 || depth > MAX_DEPTH) return {};
    if (Array.isArray(at)) return at.map((each) => walk(each, depth + 1, open));
    if (!isObject(at)) return at;
    const { $ref: reference } = at;
    if (typeof reference === 'string') {
      if (open.has(reference)) return {};
      return walk(target(document, reference) ?? {}, depth + 1, new Set([...open, reference]));
    }
    return Object.fromEntries(
      Object.entries(at).map(([name, each]) => [name, walk(each, depth + 1, open)]),
    );
  };
  return walk(value, 0, new Set());
}

/** Members of a schema that only OpenAPI knows. */
const OPENAPI_ONLY: ReadonlySet<string> = new Set([
  ...['nullable', 'discriminator', 'xml', 'externalDocs', 'example', 'deprecated'],
]);

/** Members whose values are schemas by name. */
const BY_NAME: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs']);

/** Returns a schema of OpenAPI as JSON Schema 2020-12, which catalogs read. */
export function jsonSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(jsonSchema);
  if (!isObject(schema)) return schema;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, nullable, type } = schema;
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(schema)) {
    if (OPENAPI_ONLY.has(name) || name.startsWith('x-')) continue;
    if (BY_NAME.has(name) && isObject(value)) {
      read[name] = Object.fromEntries(
        Object.entries(value).map(([key, each]) => [key, jsonSchema(each)]),
      );
    } else if (['enum', 'const', 'default', 'examples', 'required'].includes(name)) {
      read[name] = value;
    } else read[name] = jsonSchema(value);
  }
  // Version 3.0 writes these in its own way.
  if (nullable === true && typeof type === 'string') read['type'] = [type, 'null'];
  if (typeof exclusiveMinimum === 'boolean') {
    delete read['exclusiveMinimum'];
    if (exclusiveMinimum && typeof minimum === 'number') {
      read['exclusiveMinimum'] = minimum;
      delete read['minimum'];
    }
  }
  if (typeof exclusiveMaximum === 'boolean') {
    delete read['exclusiveMaximum'];
    if (exclusiveMaximum && typeof maximum === 'number') {
      read['exclusiveMaximum'] = maximum;
      delete read['maximum'];
    }
  }
  return read;
}
