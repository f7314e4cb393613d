import type { CatalogEntry } from '../../../catalog/index.ts';
import { type DeclaredPart, declaredParts } from './declaredParts.ts';
import { isObject } from './looserSchema.ts';
import { paymentInfo } from './paymentInfo.ts';

type Json = Readonly<Record<string, unknown>>;

/** A listed route as OpenAPI has it. */
export interface ListedOperation {
  /** The path as a template: `/weather/{city}`. */
  readonly path: string;
  readonly method: string;
  readonly operation: Json;
}

/** Headers that OpenAPI keeps for itself, and those of the payment, which the buyer's client sets. */
const NOT_A_PARAMETER = /^(accept|content-type|authorization|payment-.*|x-payment.*)$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;

const BODY_TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  'form-data': 'multipart/form-data',
  text: 'text/plain',
};

const PAYMENT_REQUIRED = {
  description:
    'Payment required. The header payment-required has the terms in base64; they decide, not this document.',
  headers: { 'payment-required': { schema: { type: 'string' } } },
};

const PAYMENT_REQUIRED_BY_MPP = {
  description:
    'Payment required. The header www-authenticate has challenges of MPP, and payment-required the terms of x402 if there are any; they decide, not this document.',
  headers: { 'www-authenticate': { schema: { type: 'string' } } },
};

interface Segments {
  readonly path: string;
  readonly names: readonly string[];
}

/** Writes `:city` as `{city}`. A name that OpenAPI cannot have, or that repeats, gets a number. */
function segmentsOf({ resource, origin }: CatalogEntry['listing']): Segments {
  const names: string[] = [];
  const segments = resource
    .slice(origin.length)
    .split('/')
    .map((segment) => {
      if (!segment.startsWith(':')) return segment;
      const wanted = segment.slice(1);
      const isFree = /^[A-Za-z0-9_.-]+$/.test(wanted) && !names.includes(wanted);
      const name = isFree ? wanted : `parameter${names.length + 1}`;
      names.push(name);
      return `{${name}}`;
    });
  const path = segments.join('/');
  return { path: path === '' ? '/' : path, names };
}

/** The schema and the example of one member of a part. */
function memberOf({ example, schema }: DeclaredPart, name: string) {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  const known = isObject(properties) && Object.hasOwn(properties, name);
  const given = isObject(example) && Object.hasOwn(example, name);
  return {
    schema: known ? properties[name] : {},
    ...(given ? { example: example[name] } : {}),
  };
}

function namesIn({ example, schema }: DeclaredPart): readonly string[] {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const given = isObject(example) ? example : {};
  return [...new Set([...Object.keys(properties), ...Object.keys(given)])];
}

function requiredIn({ schema }: DeclaredPart, name: string): boolean {
  const required = isObject(schema) ? schema['required'] : undefined;
  return Array.isArray(required) && required.includes(name);
}

function parametersOf(
  where: 'query' | 'header',
  part: DeclaredPart,
  names: readonly string[],
): readonly Json[] {
  return names.map((name) => ({
    name,
    in: where,
    required: requiredIn(part, name),
    ...memberOf(part, name),
  }));
}

/** The media type of a body or an answer with what the seller declared of it. */
function contentOf(mediaType: string, { example, schema }: DeclaredPart): Json {
  const described = {
    ...(schema === undefined ? {} : { schema }),
    ...(example === undefined ? {} : { example }),
  };
  return { content: { [mediaType]: described } };
}

function headerNamesOf(part: DeclaredPart): readonly string[] {
  const names = new Map<string, string>();
  for (const name of namesIn(part)) {
    if (!HEADER_NAME.test(name) || NOT_A_PARAMETER.test(name)) continue;
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  return [...names.values()];
}

/** Returns the operation of a listed route, with what it costs in `x-payment-info`. */
export function listedOperation({ listing, accepts, trust }: CatalogEntry): ListedOperation {
  const {
    path: declared,
    query,
    headers,
    body,
    bodyType,
    output,
    outputType,
  } = declaredParts(listing);
  const { path, names } = segmentsOf(listing);
  const hasBody = body.example !== undefined || body.schema !== undefined;
  const method = (listing.method ?? (hasBody ? 'POST' : 'GET')).toLowerCase();
  const takesBody = method === 'post' || method === 'put' || method === 'patch';
  const { serviceName, description, tags, mimeType } = listing;
  const answer = mimeType ?? (outputType === 'json' ? 'application/json' : undefined);
  const parameters = [
    ...names.map((name) => ({ name, in: 'path', required: true, ...memberOf(declared, name) })),
    ...parametersOf('query', query, namesIn(query)),
    ...parametersOf('header', headers, headerNamesOf(headers)),
  ];
  return {
    path,
    method,
    operation: {
      summary: serviceName ?? description ?? listing.resource,
      ...(description === undefined ? {} : { description }),
      ...(tags.length === 0 ? {} : { tags }),
      'x-payment-info': paymentInfo(accepts, trust.protocols),
      'x-trust': trust,
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(takesBody && hasBody
        ? { requestBody: contentOf(BODY_TYPES[String(bodyType)] ?? 'application/json', body) }
        : {}),
      responses: {
        200: {
          description: 'What was paid for',
          ...(answer === undefined ? {} : contentOf(answer, output)),
        },
        402: trust.protocols?.includes('mpp') ? PAYMENT_REQUIRED_BY_MPP : PAYMENT_REQUIRED,
      },
    },
  };
}
