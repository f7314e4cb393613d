import type { CatalogEntry } from '../../../catalog/index.ts';
import { isObject, type LooserSchema, looserSchema } from './looserSchema.ts';

type Json = Readonly<Record<string, unknown>>;

/** A part of a request or an answer as the seller declared it: its example, and its schema. */
export interface DeclaredPart {
  readonly example: unknown;
  readonly schema: LooserSchema | undefined;
}

/** What a seller declared of a route (x402's extension `bazaar`). */
export interface DeclaredParts {
  readonly query: DeclaredPart;
  readonly path: DeclaredPart;
  readonly headers: DeclaredPart;
  readonly body: DeclaredPart;
  readonly bodyType: unknown;
  readonly output: DeclaredPart;
  readonly outputType: unknown;
}

/** Follows names through the `properties` of a schema. */
function propertyOf(schema: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((at, name) => {
    if (!isObject(at) || !isObject(at['properties'])) return undefined;
    return Object.hasOwn(at['properties'], name) ? at['properties'][name] : undefined;
  }, schema);
}

const membersOf = (value: unknown): Json => (isObject(value) ? value : {});

/** Reads the declaration of a listing, which passed the catalog's rules; the rest is whatever the seller wrote. */
export function declaredParts({ extensions }: CatalogEntry['listing']): DeclaredParts {
  const { info, schema } = membersOf(extensions['bazaar']);
  const { input, output } = membersOf(info);
  const given = membersOf(input);
  const answered = membersOf(output);
  const part = (example: unknown, ...path: readonly string[]): DeclaredPart => {
    const found = propertyOf(schema, ...path);
    return { example, schema: found === undefined ? undefined : looserSchema(found) };
  };
  return {
    query: part(given['queryParams'], 'input', 'queryParams'),
    path: part(given['pathParams'], 'input', 'pathParams'),
    headers: part(given['headers'], 'input', 'headers'),
    body: part(given['body'], 'input', 'body'),
    bodyType: given['bodyType'],
    output: part(answered['example'], 'output', 'example'),
    outputType: answered['type'],
  };
}
