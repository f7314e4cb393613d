import { type Price, type ProxyConfig, plainTerms, type Terms } from '../config/config.ts';
import { readAmount } from '../config/readConfig.ts';
import { type Part, type Route, readPattern } from '../routes.ts';
import { declarationOf } from './declaration.ts';
import { isObject } from './readDocument.ts';
import { resolve } from './resolve.ts';

type Json = Readonly<Record<string, unknown>>;

/** An operation that is not sold, with the reason. */
export interface Unsold {
  /** Such as `GET /weather/{city}`. */
  readonly text: string;
  readonly why: string;
}

/** The part of a configuration to which a document adds. */
export type Documented = Pick<ProxyConfig, 'upstream' | 'routes' | 'openapi'>;

/** A configuration with the operations of a document. */
export interface DocumentRoutes<C extends Documented = ProxyConfig> {
  readonly config: C;
  /** Operations of the document that stay closed, unless a route of the configuration names them. */
  readonly unsold: readonly Unsold[];
}

/** Most operations of a document that become routes. */
const MAX_OPERATIONS = 2_000;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const MAX_TAGS = 5;
const MAX_TAG_LENGTH = 32;
const MAX_DESCRIPTION_LENGTH = 2_000;

/**
 * Adds the operations of an OpenAPI document to a configuration. A route of the configuration keeps its price and its words, and
 * gets those that it lacks. An operation without such a route is sold for its own price (`x-payment-info`), else for `price`;
 * without either, it stays closed.
 */
export function withDocument<C extends Documented>(
  config: C,
  document: Json,
  price: Price | undefined,
  settle: Terms['settle'],
): DocumentRoutes<C> {
  const { upstream } = config;
  const prefix = upstream === undefined ? '' : prefixOf(document, upstream);
  const routes = new Map(config.routes.map((route) => [shapeOf(route), route]));
  const unsold: Unsold[] = [];
  let count = 0;
  for (const [path, item] of Object.entries(document['paths'] as Json)) {
    const resolved = resolve(document, item);
    if (!isObject(resolved)) continue;
    for (const verb of METHODS) {
      const operation = resolved[verb];
      if (!isObject(operation)) continue;
      const method = verb.toUpperCase();
      const text = `${method} ${prefix}${path}`;
      const pattern = readPattern(`${prefix}${path}`);
      count += 1;
      if (pattern === undefined || count > MAX_OPERATIONS) {
        const why =
          pattern === undefined ? 'its path has another form than a route' : 'there are too many';
        unsold.push({ text, why });
        continue;
      }
      const words = wordsOf(operation, resolved, pattern, method);
      const route = { method, pattern, text, sold: true, allow: [] };
      const given = routes.get(shapeOf(route));
      if (given !== undefined) {
        const { about } = given;
        if (about !== undefined)
          routes.set(shapeOf(route), { ...given, about: filled(about, words) });
        continue;
      }
      const own = ownPrice(operation) ?? price;
      if (own === undefined) {
        unsold.push({ text, why: 'it has no price' });
        continue;
      }
      routes.set(shapeOf(route), { ...route, about: plainTerms(own, { ...words, settle }) });
    }
  }
  return { config: { ...config, routes: [...routes.values()] }, unsold };
}

/** Terms with the words that they lack. */
function filled(terms: Terms, words: ReturnType<typeof wordsOf>): Terms {
  const { description, mimeType, tags, extensions } = terms;
  return {
    ...terms,
    description: description ?? words.description,
    mimeType: mimeType ?? words.mimeType,
    tags: tags ?? words.tags,
    extensions: { ...words.extensions, ...extensions },
    operation: words.operation,
  };
}

/** What makes two routes the same. */
function shapeOf({ method, pattern }: Pick<Route<unknown>, 'method' | 'pattern'>): string {
  return JSON.stringify([
    method,
    ...pattern.map((part) => (part.kind === 'fixed' ? part.text : [part.kind])),
  ]);
}

/** Path of the document's first server, where the URL of the API does not have it already. */
function prefixOf({ servers }: Json, upstream: URL): string {
  const [first] = Array.isArray(servers) ? (servers as readonly unknown[]) : [];
  const url = isObject(first) ? first['url'] : undefined;
  if (typeof url !== 'string' || !URL.canParse(url, upstream.origin)) return '';
  const path = new URL(url, upstream.origin).pathname.replace(/\/+$/, '');
  return upstream.pathname.replace(/\/+$/, '') === path ? '' : path;
}

/** Returns the price in `x-payment-info`, in the form that indexers read (decision 0084) or as a plain amount. */
function ownPrice(operation: Json): Price | undefined {
  const info = operation['x-payment-info'];
  const { price } = isObject(info) ? info : { price: info };
  const fixed = isObject(price) ? (price['mode'] === 'fixed' ? price['amount'] : undefined) : price;
  const amount = readAmount(fixed);
  return amount === undefined ? undefined : { kind: 'fixed', amount };
}

/** Returns what buyers and catalogs read about an operation. */
function wordsOf(
  operation: Json,
  item: Json,
  pattern: readonly Part[],
  method: string,
): Pick<Terms, 'description' | 'mimeType' | 'tags' | 'extensions' | 'operation'> {
  const text = (name: string): string | undefined => {
    const value = operation[name] ?? item[name];
    return typeof value === 'string' && value.trim() !== ''
      ? value.trim().slice(0, MAX_DESCRIPTION_LENGTH)
      : undefined;
  };
  const { tags, operationId, requestBody, responses } = operation;
  const words = Array.isArray(tags)
    ? (tags as readonly unknown[]).filter(
        (tag): tag is string =>
          typeof tag === 'string' && tag !== '' && tag.length <= MAX_TAG_LENGTH,
      )
    : [];
  const parameters = parametersOf(operation, item);
  const good = isObject(responses)
    ? Object.entries(responses).find(([status]) => /^2/.test(status))
    : undefined;
  const body = good?.[1];
  const content = isObject(body) && isObject(body['content']) ? body['content'] : {};
  return {
    description: text('summary') ?? text('description'),
    mimeType: Object.keys(content)[0],
    tags: words.length === 0 ? undefined : words.slice(0, MAX_TAGS),
    extensions: declarationOf({ method, pattern, parameters, requestBody, content }),
    operation: {
      ...(typeof operationId === 'string' ? { operationId } : {}),
      ...(text('description') === undefined ? {} : { description: text('description') }),
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(isObject(requestBody) ? { requestBody } : {}),
      ...(good === undefined ? {} : { responses: { [good[0]]: good[1] } }),
    },
  };
}

/** The parameters of an operation, with those of its path; its own come first. */
function parametersOf(operation: Json, item: Json): readonly Json[] {
  const both = [operation['parameters'], item['parameters']].flatMap((list) =>
    Array.isArray(list) ? (list as readonly unknown[]).filter(isObject) : [],
  );
  const seen = new Map<string, Json>();
  for (const parameter of both) {
    const key = `${String(parameter['in'])} ${String(parameter['name'])}`;
    if (!seen.has(key)) seen.set(key, parameter);
  }
  return [...seen.values()];
}
