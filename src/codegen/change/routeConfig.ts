import type { Discovery } from '../schema/discovery.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  schemaProperties,
} from '../schema/json.ts';
import type { Style } from '../source/style.ts';
import { type Code, call, jsonCode, type Member, member, object, quoted, text } from './code.ts';
import type { Price } from './paymentTerms.ts';

/** The longest that a buyer's authorization may live, in seconds; the packages would say 300. */
const TIMEOUT_SECONDS = 60;

export interface RouteConfigParts {
  readonly price: Price;
  readonly payTo: string;
  readonly description: string | undefined;
  readonly title: string;
  readonly serviceName: string | undefined;
  readonly tags: readonly string[];
  readonly discovery: Discovery;
  /** The local name of `declareDiscoveryExtension`. */
  readonly declare: string;
}

/** The configuration of one paid route: price, listing and discovery. */
export function routeConfig(parts: RouteConfigParts, style: Style): Code {
  const { price, discovery } = parts;
  const quote = (value: string): Code => text(quoted(value, style));
  const accepts = object(
    [
      member('scheme', quote('exact')),
      member('price', priceCode(price, style)),
      member('network', quote('stellar:testnet')),
      member('payTo', text(parts.payTo)),
      member('maxTimeoutSeconds', text(String(TIMEOUT_SECONDS))),
    ],
    true,
  );
  return object(
    [
      member('accepts', accepts),
      member(
        'description',
        quote(parts.description ?? parts.title),
        parts.description === undefined ? 'TODO: say what a buyer gets' : undefined,
      ),
      discovery.mimeType === undefined ? undefined : member('mimeType', quote(discovery.mimeType)),
      parts.serviceName === undefined ? undefined : member('serviceName', quote(parts.serviceName)),
      parts.tags.length === 0 ? undefined : member('tags', jsonCode(parts.tags, style)),
      member('extensions', call(parts.declare, discoveryCode(discovery, style))),
    ],
    true,
  );
}

/** A price as the packages read it. */
export function priceCode(price: Price, style: Style): Code {
  const quote = (value: string): Code => text(quoted(value, style));
  return price.kind === 'money'
    ? quote(price.text)
    : object([member('asset', quote(price.asset)), member('amount', quote(price.amount))]);
}

/** The argument of `declareDiscoveryExtension`. */
function discoveryCode(discovery: Discovery, style: Style): Code {
  const { kind, pathParams, output } = discovery;
  const members: (Member | undefined)[] = [
    ...inputMembers(discovery, style),
    pathParams && member('pathParamsSchema', schemaCode(pathParams, style)),
    kind === 'body' ? member('bodyType', text(quoted('json', style))) : undefined,
    outputMember(output, style),
  ];
  return object(members, true);
}

function inputMembers({ kind, input }: Discovery, style: Style): readonly (Member | undefined)[] {
  if (input === 'none') return [];
  if (input === 'unknown') {
    const todo =
      kind === 'body'
        ? 'TODO: an example of the body, and its properties'
        : 'TODO: examples of the query parameters, and their types; remove both if there are none';
    const empty = object([member('properties', object([]))]);
    return [member('input', object([]), todo), member('inputSchema', empty)];
  }
  const fields = schemaProperties(input.schema);
  const untyped = fields.some(([, schema]) => Object.keys(schema).length === 0);
  const todo = untyped
    ? 'TODO: real values, and the types below that the code does not show'
    : input.placeholder
      ? 'TODO: real values'
      : undefined;
  return [
    member('input', jsonCode(input.example, style), todo),
    member('inputSchema', schemaCode(input.schema, style)),
  ];
}

function outputMember(output: Discovery['output'], style: Style): Member {
  if (output === 'unknown') {
    return member(
      'output',
      object([member('example', object([]))]),
      'TODO: an example of the answer',
    );
  }
  return member(
    'output',
    object([
      member('example', jsonCode(output.example, style)),
      output.schema && member('schema', jsonCode(output.schema, style)),
    ]),
    output.placeholder ? 'TODO: real values for what is known at run time only' : undefined,
  );
}

/** Schemas open their `properties`, so that each stands on a line to be described. */
function schemaCode(schema: JsonSchema, style: Style): Code {
  const { properties, ...rest } = schema as JsonObject;
  const fields = isJsonObject(properties) ? Object.entries(properties) : [];
  return object([
    member(
      'properties',
      object(
        fields.map(([name, value]) => member(name, jsonCode(value, style))),
        fields.length > 0,
      ),
    ),
    ...Object.entries(rest).map(([name, value]) => member(name, jsonCode(value, style))),
  ]);
}
