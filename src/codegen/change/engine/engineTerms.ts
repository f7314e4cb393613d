import { formatDecimalAmount } from '../../../protocol/index.ts';
import type { Discovery } from '../../schema/discovery.ts';
import type { JsonObject, JsonValue } from '../../schema/json.ts';
import type { Price, Terms } from '../paymentTerms.ts';
import type { RouteReading } from '../reading/routeReading.ts';
import { type Code, jsonCode, member, object, quoted } from '../writing/code.ts';
import { describedBy, tagsOf } from '../writing/listing.ts';

/** A price in the form that our engine reads: USDC as decimal text. */
export function enginePrice(price: Price): Code {
  return quoted(
    price.kind === 'money'
      ? price.text.replace(/^\$/, '')
      : formatDecimalAmount(BigInt(price.amount)),
  );
}

/** A template that the catalog reads: fixed segments and parameters without patterns. */
const TEMPLATE = /^(?:\/(?::\w+|[\w.~-]+))+$/;

/** The terms of one route, as `seller.node` and `seller.hono` take them. */
export function engineTerms(
  { route, discovery, comment }: Pick<RouteReading, 'route' | 'discovery' | 'comment'>,
  terms: Pick<Terms, 'price' | 'description'>,
): Code {
  const description = terms.description ?? describedBy(comment ?? '');
  const path = route.mounted ?? route.path;
  const tags = tagsOf(route.path);
  const template = route.params.length > 0 && TEMPLATE.test(path) ? path : undefined;
  return object(
    [
      member('price', enginePrice(terms.price)),
      member(
        'description',
        quoted(description ?? `${route.method} ${path}`),
        description === undefined ? 'TODO: say what a buyer gets' : undefined,
      ),
      discovery.mimeType === undefined ? undefined : member('mimeType', quoted(discovery.mimeType)),
      tags.length === 0 ? undefined : member('tags', jsonCode(tags)),
      route.method === '*'
        ? undefined
        : member(
            'extensions',
            object([member('bazaar', declaration(route.method, discovery, template))]),
          ),
    ],
    true,
  );
}

/** Declares the route for catalogs: its method and schemas, and examples where the code shows some. */
function declaration(method: string, discovery: Discovery, template: string | undefined): Code {
  const { kind, input, output } = discovery;
  const isBody = kind === 'body';
  const known = typeof input === 'object' ? input : undefined;
  const example: JsonObject = {
    ...{ type: 'http', method },
    ...(isBody ? { bodyType: 'json' } : {}),
    ...(known === undefined ? {} : { [isBody ? 'body' : 'queryParams']: known.example }),
  };
  const properties: JsonObject = {
    ...{ type: { type: 'string', const: 'http' }, method: { type: 'string', enum: [method] } },
    ...(isBody ? { bodyType: { type: 'string', enum: ['json'] } } : {}),
    ...(known === undefined
      ? {}
      : { [isBody ? 'body' : 'queryParams']: { type: 'object', ...known.schema } }),
  };
  const shown = output === 'unknown' ? undefined : output;
  const info: JsonObject = {
    input: example,
    ...(shown === undefined ? {} : { output: { type: 'json', example: shown.example } }),
  };
  const schema: JsonObject = {
    type: 'object',
    properties: {
      input: { type: 'object', properties, required: ['type', 'method'] },
      ...(shown?.schema === undefined
        ? {}
        : { output: { type: 'object', properties: { example: shown.schema } } }),
    },
    required: ['input'],
  };
  return object([
    member('info', jsonCode(info as JsonValue)),
    member('schema', jsonCode(schema as JsonValue)),
    template === undefined ? undefined : member('routeTemplate', quoted(template)),
  ]);
}
