import type { Discovery } from '../../schema/discovery.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  schemaProperties,
} from '../../schema/json.ts';
import type { Price, Terms } from '../paymentTerms.ts';
import type { RouteReading } from '../reading/routeReading.ts';
import { type Code, call, jsonCode, type Member, member, object, quoted, text } from './code.ts';
import { describedBy, serviceName, tagsOf } from './listing.ts';

/** Maximum lifetime of a buyer's authorization, in seconds; the packages' default is 300. */
const TIMEOUT_SECONDS = 60;

interface RouteConfigParts {
  readonly reading: Pick<RouteReading, 'route' | 'discovery' | 'comment' | 'packageName'>;
  readonly terms: Pick<Terms, 'price' | 'description'>;
  /** As code. */
  readonly payTo: string;
  /** The local name of `declareDiscoveryExtension`. */
  readonly declare: string;
}

/** The configuration of one paid route: price, listing and discovery. */
export function routeConfig({ reading, terms, payTo, declare }: RouteConfigParts): Code {
  const { route, discovery, comment, packageName } = reading;
  const description = terms.description ?? describedBy(comment ?? '');
  const service = serviceName(packageName);
  const tags = tagsOf(route.path);
  const accepts = object(
    [
      member('scheme', quoted('exact')),
      member('price', priceCode(terms.price)),
      member('network', quoted('stellar:testnet')),
      member('payTo', text(payTo)),
      member('maxTimeoutSeconds', text(String(TIMEOUT_SECONDS))),
    ],
    true,
  );
  return object(
    [
      member('accepts', accepts),
      member(
        'description',
        quoted(description ?? `${route.method} ${route.mounted ?? route.path}`),
        description === undefined ? 'TODO: say what a buyer gets' : undefined,
      ),
      discovery.mimeType === undefined ? undefined : member('mimeType', quoted(discovery.mimeType)),
      service === undefined ? undefined : member('serviceName', quoted(service)),
      tags.length === 0 ? undefined : member('tags', jsonCode(tags)),
      member('extensions', call(declare, discoveryCode(discovery))),
    ],
    true,
  );
}

/** A price in the form that the packages read. */
export function priceCode(price: Price): Code {
  return price.kind === 'money'
    ? quoted(price.text)
    : object([member('asset', quoted(price.asset)), member('amount', quoted(price.amount))]);
}

/** The argument of `declareDiscoveryExtension`. */
function discoveryCode(discovery: Discovery): Code {
  const { kind, pathParams, output } = discovery;
  const members: (Member | undefined)[] = [
    ...inputMembers(discovery),
    pathParams && member('pathParamsSchema', schemaCode(pathParams)),
    kind === 'body' ? member('bodyType', quoted('json')) : undefined,
    outputMember(output),
  ];
  return object(members, true);
}

function inputMembers({ kind, input }: Discovery): readonly (Member | undefined)[] {
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
    member('input', jsonCode(input.example), todo),
    member('inputSchema', schemaCode(input.schema)),
  ];
}

function outputMember(output: Discovery['output']): Member {
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
      member('example', jsonCode(output.example)),
      output.schema && member('schema', jsonCode(output.schema)),
    ]),
    output.placeholder ? 'TODO: real values for what is known at run time only' : undefined,
  );
}

/** Schemas expand their `properties`, so that each one has its own line and can be described. */
function schemaCode(schema: JsonSchema): Code {
  const { properties, ...rest } = schema as JsonObject;
  const fields = isJsonObject(properties) ? Object.entries(properties) : [];
  return object([
    member(
      'properties',
      object(
        fields.map(([name, value]) => member(name, jsonCode(value))),
        fields.length > 0,
      ),
    ),
    ...Object.entries(rest).map(([name, value]) => member(name, jsonCode(value))),
  ]);
}
