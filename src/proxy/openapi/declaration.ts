import type { Part } from '../routes.ts';
import { isObject } from './readDocument.ts';
import { jsonSchema } from './resolve.ts';

type Json = Readonly<Record<string, unknown>>;

/** What is declared about a route. */
export interface Described {
  readonly method: string;
  readonly pattern: readonly Part[];
  readonly parameters: readonly Json[];
  readonly requestBody: unknown;
  /** Of the response: by media type. */
  readonly content: Json;
}

/** Longest declaration, in characters of JSON: it is part of a header of each challenge. */
const MAX_CHARACTERS = 6_000;

/** Media types of bodies, as the extension names them. */
const BODY_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^application\/(?:[\w.+-]+\+)?json\b/i, 'json'],
  [/^multipart\/form-data\b|^application\/x-www-form-urlencoded\b/i, 'form-data'],
  [/^text\//i, 'text'],
];

/**
 * Returns the declaration of a route for catalogs (extension `bazaar`): its schemas, without examples, so that it is valid by
 * itself. What is too long for a header is left out, the response first.
 */
export function declarationOf(described: Described): Readonly<Record<string, unknown>> {
  const whole = declared(described);
  if (JSON.stringify(whole).length <= MAX_CHARACTERS) return whole;
  const shorter = declared({ ...described, content: {} });
  if (JSON.stringify(shorter).length <= MAX_CHARACTERS) return shorter;
  return declared({ ...described, content: {}, parameters: [], requestBody: undefined });
}

function declared({ method, pattern, parameters, requestBody, content }: Described): Json {
  const query = objectOf(parameters, 'query');
  const path = objectOf(parameters, 'path');
  const body = bodyOf(method, requestBody);
  const output = schemaIn(content);
  const input = {
    type: 'http',
    method,
    ...(body === undefined ? {} : { bodyType: body.type }),
  };
  const isOpen = pattern.some(({ kind }) => kind !== 'fixed');
  const template = pattern
    .map((part) =>
      part.kind === 'fixed' ? part.text : part.kind === 'one' ? `{${part.name}}` : '*',
    )
    .join('/');
  return {
    bazaar: {
      info: { input },
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          input: {
            type: 'object',
            properties: {
              type: { type: 'string', const: 'http' },
              method: { type: 'string', enum: [method] },
              ...(query === undefined ? {} : { queryParams: query }),
              ...(path === undefined ? {} : { pathParams: path }),
              ...(body === undefined
                ? {}
                : { bodyType: { type: 'string', enum: [body.type] }, body: body.schema }),
            },
            required: ['type', 'method'],
          },
          ...(output === undefined
            ? {}
            : { output: { type: 'object', properties: { example: output } } }),
        },
        required: ['input'],
      },
      ...(isOpen ? { routeTemplate: `/${template}` } : {}),
    },
  };
}

/** The parameters of one kind, as the schema of an object. */
function objectOf(parameters: readonly Json[], kind: string): Json | undefined {
  const mine = parameters.filter((parameter) => parameter['in'] === kind);
  if (mine.length === 0) return undefined;
  const properties = mine.map(({ name, schema, description }) => {
    const read = jsonSchema(schema);
    const words = typeof description === 'string' ? { description } : {};
    return [String(name), isObject(read) ? { ...words, ...read } : words] as const;
  });
  const required = mine.filter((parameter) => parameter['required'] === true);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required: required.map(({ name }) => String(name)) }),
  };
}

function bodyOf(
  method: string,
  requestBody: unknown,
): { readonly type: string; readonly schema: unknown } | undefined {
  if (!isObject(requestBody) || !isObject(requestBody['content'])) return undefined;
  // The extension knows bodies of these methods only.
  if (!['POST', 'PUT', 'PATCH'].includes(method)) return undefined;
  for (const [media, about] of Object.entries(requestBody['content'])) {
    const type = BODY_TYPES.find(([pattern]) => pattern.test(media))?.[1];
    if (type === undefined) continue;
    return { type, schema: isObject(about) ? (jsonSchema(about['schema']) ?? {}) : {} };
  }
  return undefined;
}

/** Schema of the first media type of a response. */
function schemaIn(content: Json): unknown {
  const [first] = Object.values(content);
  return isObject(first) && isObject(first['schema']) ? jsonSchema(first['schema']) : undefined;
}
