import { ts } from 'ts-morph';
import type { FoundRoute } from '../routes/foundRoute.ts';
import type { Bindings } from '../source/bindings.ts';
import { type FunctionNode, walk } from '../source/syntax.ts';
import { bare, constantObject, property } from '../source/values.ts';
import { exampleOf } from './example.ts';
import { fromType } from './fromType.ts';
import { isJsonObject, type JsonSchema, type JsonValue, schemaProperties } from './json.ts';
import { readPart } from './readFields.ts';
import { RequestParts } from './requestParts.ts';
import { type Known, shownResponse } from './response.ts';
import { schemaOf } from './schemaOf.ts';

/** What a listing contains about a route's input and output, and what a person has to add. */
export interface Discovery {
  /** Where the input is sent; a body has to be declared as one. */
  readonly kind: 'query' | 'body';
  /** `none`: the code shows that nothing is read. */
  readonly input: DeclaredInput | 'none' | 'unknown';
  readonly pathParams: JsonSchema | undefined;
  readonly output: DeclaredOutput | 'unknown';
  readonly mimeType: string | undefined;
}

export interface DeclaredInput {
  readonly example: JsonValue;
  /** `properties` and `required`. */
  readonly schema: JsonSchema;
  /** A text in the example is only a placeholder. */
  readonly placeholder: boolean;
}

export interface DeclaredOutput {
  readonly example: JsonValue;
  /** Set unless the example is an object. */
  readonly schema: JsonSchema | undefined;
  readonly placeholder: boolean;
}

const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);

/** Reads a route's input and output from its handler, types and schemas. */
export function readDiscovery(route: FoundRoute, bindings: Bindings): Discovery {
  const kind = BODY_METHODS.has(route.method) ? 'body' : 'query';
  const { handlerNode: handler } = route;
  const parts = handler && new RequestParts(handler, bindings);
  const input = readInput(route, kind, parts, bindings);
  const given = typeof input === 'object' && isJsonObject(input.example) ? input.example : {};
  const known = new Map<string, JsonValue>([
    ...route.params.map((name) => [name, name] as const),
    ...Object.entries(given),
  ]);
  return {
    kind,
    input,
    pathParams: pathParamsSchema(route, bindings),
    ...readOutput(route, known, bindings),
  };
}

function readInput(
  route: FoundRoute,
  kind: Discovery['kind'],
  parts: RequestParts | undefined,
  bindings: Bindings,
): Discovery['input'] {
  const { handlerNode: handler } = route;
  const read = handler && parts && readPart(handler, kind, parts, bindings);
  const declared =
    optionSchema(route, kind === 'query' ? ['querystring', 'query'] : ['body'], bindings) ??
    validatorSchema(
      route,
      kind === 'query' ? ['query', 'querystring'] : ['body', 'json'],
      bindings,
    ) ??
    genericType(route, kind, bindings) ??
    read?.declared;
  if (declared && schemaProperties(declared).length > 0) return declaredInput(declared);
  if (!read || !handler) return 'unknown';
  if (read.fields.size > 0) return declaredInput(fieldsSchema(read.fields, kind));
  if (read.open || handsRequestOn(handler)) return 'unknown';
  return kind === 'query' ? 'none' : 'unknown';
}

function declaredInput(schema: JsonSchema): DeclaredInput {
  const { properties, required } = schema;
  const { value, placeholder } = exampleOf({ ...schema, type: 'object' }, 'input');
  return {
    example: value,
    placeholder,
    schema: {
      properties: properties ?? {},
      ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
    },
  };
}

/** A value in a query is text unless the code says otherwise. */
function fieldsSchema(
  fields: ReadonlyMap<string, JsonSchema>,
  kind: Discovery['kind'],
): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const [name, schema] of fields) {
    properties[name] =
      kind === 'query' && schema['type'] === undefined ? { type: 'string', ...schema } : schema;
  }
  return { type: 'object', properties };
}

/** The schema of Fastify's options: `{ schema: { querystring } }`. */
function optionSchema(
  { registered }: FoundRoute,
  names: readonly string[],
  bindings: Bindings,
): JsonSchema | undefined {
  const schema = registered?.options && property(registered.options, 'schema');
  const literal = schema && constantObject(schema, bindings);
  if (!literal) return undefined;
  for (const name of names) {
    const value = property(literal, name);
    const found = value && schemaOf(value, bindings);
    if (found) return found;
  }
  return undefined;
}

/** A schema in the arguments of a middleware: `validate({ query: Query })`. */
function validatorSchema(
  { registered, framework }: FoundRoute,
  names: readonly string[],
  bindings: Bindings,
): JsonSchema | undefined {
  if (!registered || framework !== 'express') return undefined;
  for (const argument of registered.methodCall.arguments) {
    const call = bare(argument);
    if (!ts.isCallExpression(call)) continue;
    for (const given of call.arguments) {
      const literal = constantObject(given, bindings);
      for (const name of literal ? names : []) {
        const value = literal && property(literal, name);
        const found = value && schemaOf(value, bindings);
        if (found) return found;
      }
    }
    // validateBody(Body)
    const [first] = call.arguments;
    const callee = call.expression.getText().toLowerCase();
    const isNamed = names.some((name) => callee.includes(name));
    const found = isNamed && first ? schemaOf(first, bindings) : undefined;
    if (found) return found;
  }
  return undefined;
}

const EXPRESS_PLACES = { params: 0, reply: 1, body: 2, query: 3 } as const;
const FASTIFY_NAMES = {
  params: 'Params',
  reply: 'Reply',
  body: 'Body',
  query: 'Querystring',
} as const;

/** `Request<Params, Answer, Body, Query>` of Express, `get<{ Querystring: Q }>` of Fastify. */
function genericType(
  route: FoundRoute,
  part: keyof typeof FASTIFY_NAMES,
  bindings: Bindings,
): JsonSchema | undefined {
  const [request] = route.handlerNode?.parameters ?? [];
  const typed =
    request?.type && ts.isTypeReferenceNode(request.type) ? request.type.typeArguments : undefined;
  const called = route.registered?.methodCall.typeArguments;
  if (route.framework === 'express') {
    const type = typed?.[EXPRESS_PLACES[part]] ?? called?.[EXPRESS_PLACES[part]];
    return fromType(type, bindings);
  }
  if (route.framework !== 'fastify') return undefined;
  for (const list of [called, typed]) {
    const [generic] = list ?? [];
    const member =
      generic &&
      ts.isTypeLiteralNode(generic) &&
      generic.members.find(({ name }) => name?.getText() === FASTIFY_NAMES[part]);
    const found =
      member && ts.isPropertySignature(member) ? fromType(member.type, bindings) : undefined;
    if (found) return found;
  }
  return undefined;
}

/**
 * Path parameters, never required: for wildcards and for Next.js, the payment middleware does not pass them, and a declaration
 * that fails its own schema is not listed.
 */
function pathParamsSchema(route: FoundRoute, bindings: Bindings): JsonSchema | undefined {
  if (route.params.length === 0) return undefined;
  const declared =
    optionSchema(route, ['params'], bindings) ?? genericType(route, 'params', bindings);
  const known = new Map(declared ? schemaProperties(declared) : []);
  const properties = Object.fromEntries(
    // They are sent as text, whatever the handler converts them to.
    route.params.map((name) => {
      const description = known.get(name)?.['description'];
      return [
        name,
        { type: 'string', ...(typeof description === 'string' ? { description } : {}) },
      ];
    }),
  );
  return { properties };
}

function readOutput(
  route: FoundRoute,
  known: Known,
  bindings: Bindings,
): Pick<Discovery, 'output' | 'mimeType'> {
  const { handlerNode: handler } = route;
  const shown = handler && shownResponse(handler, known, bindings);
  const json = 'application/json';
  const answer = shown && {
    output: declaredOutput(shown.value, !shown.complete),
    mimeType: shown.json ? json : undefined,
  };
  if (answer && !isEmpty(shown.value)) return answer;
  const declared = responseSchema(route, bindings) ?? genericType(route, 'reply', bindings);
  if (declared && typeof declared['type'] === 'string') {
    const { value, placeholder } = exampleOf(declared, 'value');
    return { output: declaredOutput(value, placeholder), mimeType: json };
  }
  if (answer) return answer;
  return { output: 'unknown', mimeType: handler && answersJson(handler) ? json : undefined };
}

/** Whether everything is known only at run time, so that only names remain. */
function isEmpty(value: JsonValue): boolean {
  return (
    value === null || (typeof value === 'object' && Object.values(value).every((at) => at === null))
  );
}

function declaredOutput(example: JsonValue, placeholder: boolean): DeclaredOutput {
  const schema = isJsonObject(example) ? undefined : { type: jsonType(example) };
  return { example, schema, placeholder };
}

function jsonType(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** `schema: { response: { 200: … } }` of Fastify. */
function responseSchema({ registered }: FoundRoute, bindings: Bindings): JsonSchema | undefined {
  const schema = registered?.options && property(registered.options, 'schema');
  const literal = schema && constantObject(schema, bindings);
  const response = literal && property(literal, 'response');
  const answers = response && constantObject(response, bindings);
  const found =
    answers && ['200', '2xx', '201'].map((status) => property(answers, status)).find(Boolean);
  return found ? schemaOf(found, bindings) : undefined;
}

function answersJson(handler: FunctionNode): boolean {
  return /\.json\s*\(/.test(handler.getText());
}

/** A request that is passed on as a whole might be read elsewhere. */
function handsRequestOn(handler: FunctionNode): boolean {
  const [request] = handler.parameters;
  if (!request) return false;
  if (request.dotDotDotToken) return true;
  if (!ts.isIdentifier(request.name)) return false;
  const name = request.name.text;
  let handed = false;
  walk(handler, (node) => {
    if (!ts.isIdentifier(node) || node.text !== name || node === request.name) return;
    const { parent } = node;
    const member = ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent);
    if (!member && !ts.isVariableDeclaration(parent)) handed = true;
  });
  return handed;
}
