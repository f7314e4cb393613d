const DEEPEST = 6;

/** An example value that a JSON Schema allows; `undefined` without a schema. */
export function exampleOf(schema: unknown, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > DEEPEST) return undefined;
  const known = schema as Readonly<Record<string, unknown>>;
  if ('default' in known) return known['default'];
  if ('const' in known) return known['const'];
  const [example] = list(known['examples']);
  if (example !== undefined) return example;
  const [choice] = list(known['enum']);
  if (choice !== undefined) return choice;
  const [variant] = [...list(known['anyOf']), ...list(known['oneOf'])];
  if (variant !== undefined) return exampleOf(variant, depth + 1);
  const [type] = list(known['type']).concat(known['type'] ?? []);
  if (type === 'object' || known['properties'] !== undefined) {
    const properties = Object.entries((known['properties'] ?? {}) as Record<string, unknown>);
    return Object.fromEntries(
      properties.map(([name, inner]) => [name, exampleOf(inner, depth + 1) ?? '']),
    );
  }
  switch (type) {
    case 'array': {
      const item = exampleOf(known['items'], depth + 1);
      return item === undefined ? [] : [item];
    }
    case 'string':
      return '';
    case 'integer':
    case 'number':
      return typeof known['minimum'] === 'number' ? known['minimum'] : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return undefined;
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** A name with its value, as typed. */
export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** A request as the panel shows it. It contains only text, so that it can be stored and restored. */
export interface RequestForm {
  readonly method: string;
  /** Without a query; parameters are `:name`, `{name}` or `*`. */
  readonly url: string;
  /** The URL's parameters, in order. */
  readonly pathParams: readonly Pair[];
  readonly query: readonly Pair[];
  readonly headers: readonly Pair[];
  /** Empty: no body. */
  readonly body: string;
  /** Seconds, as typed; empty or missing: the usual limit. */
  readonly timeLimit?: string | undefined;
}

/** What is known about a request's input, from the gate's code or the endpoint's own declaration. */
export interface DeclaredInput {
  readonly bodyType?: string | undefined;
  /** Example of the body, or of the query if there is no body. */
  readonly input?: unknown;
  readonly inputSchema?: unknown;
  readonly pathParams?: unknown;
  readonly pathParamsSchema?: unknown;
}

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

const PARAMETER =
  /(?<=\/):([A-Za-z_]\w*)(?:\([^)]*\))?[?+*]?|\{([A-Za-z_]\w*)\}|(?<=\/)(\*)(?=\/|$)/g;

/** Names of a URL's parameters, in order. */
export function pathParameters(url: string): readonly string[] {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').split('?')[0] ?? '';
  return [...path.matchAll(PARAMETER)].map(
    ([, colon, brace, star]) => colon ?? brace ?? star ?? '',
  );
}

/** Fills a form with what is known: examples first, then values that the schema allows. */
export function formFor(
  method: string,
  url: string,
  declared: DeclaredInput | undefined,
): RequestForm {
  const verb = method === '*' ? 'GET' : method.toUpperCase();
  const { base, search } = partsOf(url);
  const { bodyType, input, inputSchema, pathParams, pathParamsSchema } = declared ?? {};
  const example = input ?? exampleOf(inputSchema);
  const hasBody = bodyType !== undefined || (takesBody(verb) && example !== undefined);
  const pathExamples = { ...record(exampleOf(pathParamsSchema)), ...record(pathParams) };
  const given = [...new URLSearchParams(search)].map(([name, value]) => ({ name, value }));
  return {
    method: verb,
    url: base,
    pathParams: pathParameters(base).map((name) => ({ name, value: text(pathExamples[name]) })),
    query:
      given.length > 0 || hasBody
        ? given
        : Object.entries(record(example)).map(([name, value]) => ({ name, value: text(value) })),
    headers: hasBody ? [{ name: 'content-type', value: mediaType(bodyType) }] : [],
    body: hasBody ? bodyText(example, bodyType) : '',
  };
}

/** A URL and its query, which stays in the URL if it would be written in another way. A fragment is never sent. */
function partsOf(url: string): { readonly base: string; readonly search: string } {
  const whole = url.split('#')[0] ?? '';
  const at = whole.indexOf('?');
  if (at < 0) return { base: whole, search: '' };
  const search = whole.slice(at + 1);
  const isSame = new URLSearchParams(search).toString() === search;
  return isSame ? { base: whole.slice(0, at), search } : { base: whole, search: '' };
}

/** Keeps what the user typed for parameters that the endpoint still has. */
export function withRemembered(form: RequestForm, kept: RequestForm | undefined): RequestForm {
  if (kept === undefined) return form;
  const values = new Map(kept.pathParams.map(({ name, value }) => [name, value]));
  return {
    ...kept,
    method: form.method,
    url: form.url,
    pathParams: form.pathParams.map(({ name, value }) => ({
      name,
      value: values.get(name) || value,
    })),
  };
}

export function takesBody(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

function mediaType(bodyType: string | undefined): string {
  if (bodyType === 'form-data') return 'application/x-www-form-urlencoded';
  return bodyType === 'text' ? 'text/plain' : 'application/json';
}

function bodyText(example: unknown, bodyType: string | undefined): string {
  if (bodyType === 'form-data') {
    const fields = Object.entries(record(example)).map(([name, value]) => [name, text(value)]);
    return new URLSearchParams(fields as [string, string][]).toString();
  }
  if (bodyType === 'text') return text(example);
  return JSON.stringify(example ?? {}, undefined, 2);
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function text(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
