import {
  type CanonicalResource,
  parseResource,
  type ResourceProblem,
  toolKey,
} from '../../../protocol/index.ts';
import type { CatalogReason } from '../../../protocol/wire/index.ts';
import { checkInput } from './checkInput.ts';
import type { EchoedBazaar, EchoedInput, EchoedResource } from './echoed.ts';
import { boundedJson, isJsonObject, type JsonObject, visibleObject } from './jsonTree.ts';
import { judgeSchema, type SchemaAsker, TOO_BUSY, TOO_COSTLY } from './judgeSchema.ts';
import { listedTexts } from './listedTexts.ts';
import type { Listing } from './listing.ts';
import { type JudgedTemplate, judgeRouteTemplate } from './routeTemplate.ts';
import { toolNameOf } from './toolName.ts';

/** A buyer's echo of the seller's challenge, not validated. */
export interface Declared {
  /** `paymentPayload.resource` */
  readonly resource: unknown;
  /** `paymentPayload.extensions` */
  readonly extensions: unknown;
}

export type DeclarationReason = Extract<
  CatalogReason,
  'no_discovery_extension' | 'schema_validation_failed' | 'invalid_tool_name'
>;

/** The rules for a declaration, in the order in which they are checked. */
export const DECLARATION_RULES = [
  'extension',
  'bounds',
  'resource',
  'info',
  'tool_name',
  'route_template',
  'schema_cost',
  'schema',
] as const;

export type DeclarationRule = (typeof DECLARATION_RULES)[number];

export type ReadDeclaration =
  | {
      readonly ok: true;
      readonly listing: Listing;
      /** The URL that was paid for, regardless of the template. */
      readonly paid: string;
      /** Why the concrete URL is listed instead of the template. */
      readonly templateDropped?: string;
    }
  | {
      readonly ok: false;
      readonly reason: DeclarationReason;
      readonly rule: DeclarationRule;
      readonly detail: string;
    };

/** Bounds on everything in a declaration. `/settle` itself accepts 32 KiB. */
export const DECLARATION_BOUNDS = { depth: 24, values: 2_000, characters: 16_384 } as const;

const PROBLEMS: Readonly<Record<ResourceProblem, string>> = {
  not_a_url: 'resource.url is not a URL',
  too_long: 'resource.url is too long',
  hidden_character: 'resource.url contains an invisible character',
  unsupported_scheme: 'resource.url is not http, https or mcp',
  no_host: 'resource.url has no host',
  bad_path: 'the path of resource.url is malformed',
};

function refuse(
  rule: DeclarationRule,
  detail: string,
  reason: DeclarationReason = 'schema_validation_failed',
): ReadDeclaration & { ok: false } {
  return { ok: false, reason, rule, detail };
}

/** A declaration that passed all checks before its schema. */
interface Sound {
  readonly resource: EchoedResource;
  readonly paid: CanonicalResource;
  readonly extensions: JsonObject;
  readonly bazaar: EchoedBazaar;
  readonly input: EchoedInput;
  readonly route: Exclude<JudgedTemplate, { kind: 'hostile' }>;
}

function listingOf({ resource, paid, extensions, bazaar, input, route }: Sound): Listing {
  const { routeTemplate: _, ...withoutTemplate } = bazaar;
  const texts = listedTexts(resource, input.description);
  if (input.type === 'mcp') {
    const toolName = toolNameOf(input.toolName) ?? '';
    return {
      ...texts,
      key: toolKey(paid.key, toolName),
      type: 'mcp',
      resource: paid.url,
      origin: paid.origin,
      templated: paid.templated,
      toolName,
      extensions: visibleObject({ ...extensions, bazaar: withoutTemplate as JsonObject }),
    };
  }
  const { key, url, origin, templated } = route.kind === 'template' ? route.resource : paid;
  const listed = route.kind === 'template' ? bazaar : withoutTemplate;
  return {
    ...texts,
    key,
    type: 'http',
    resource: url,
    origin,
    templated,
    ...(typeof input.method === 'string' ? { method: input.method } : {}),
    extensions: visibleObject({ ...extensions, bazaar: listed as JsonObject }),
  };
}

/**
 * Reads a buyer's echo as a listing, rule by rule (spec: Catalog reasons, Ingest sanitization).
 * Texts that break their rule are left out of the listing; the other rules decide whether it is listed.
 * @param asker settlements do not wait for other askers' schemas
 */
export async function readDeclaration(
  { resource, extensions: echoed }: Declared,
  asker: SchemaAsker = 'other',
): Promise<ReadDeclaration> {
  // 1. There is a discovery extension.
  if (!isJsonObject(echoed) || (echoed['bazaar'] ?? undefined) === undefined) {
    return refuse('extension', 'extensions.bazaar is missing', 'no_discovery_extension');
  }
  // 2. It is JSON within the bounds.
  const extensions = boundedJson(echoed, DECLARATION_BOUNDS);
  if (!isJsonObject(extensions))
    return refuse('bounds', 'the extensions are too large or too deep');
  const bazaar = extensions['bazaar'];
  if (!isJsonObject(bazaar)) return refuse('extension', 'extensions.bazaar is not an object');

  // 3. It names its URL.
  const { url }: EchoedResource = isJsonObject(resource) ? resource : {};
  if (!isJsonObject(resource) || typeof url !== 'string') {
    return refuse('resource', 'resource.url is missing');
  }
  const parsed = parseResource(url);
  if (!parsed.ok) return refuse('resource', PROBLEMS[parsed.problem]);
  const paid = parsed.resource;

  // 4. Its form. A tool's name comes first: it has its own reason.
  const { info, schema, routeTemplate }: EchoedBazaar = bazaar;
  const input = isJsonObject(info) ? info['input'] : undefined;
  if (!isJsonObject(info) || !isJsonObject(input)) return refuse('info', 'info.input is missing');
  const { type, toolName }: EchoedInput = input;
  if (type === 'mcp' && toolNameOf(toolName) === undefined) {
    return refuse('tool_name', 'info.input.toolName is not a valid tool name', 'invalid_tool_name');
  }
  const malformed = checkInput(input);
  if (malformed !== undefined) return refuse('info', malformed);
  if (type === 'http' && paid.url.startsWith('mcp:')) {
    return refuse('resource', 'a resource at an mcp: URL is a tool');
  }

  // 5. Its route. A tool does not have one.
  const route = judgeRouteTemplate(type === 'http' ? routeTemplate : undefined, paid);
  if (route.kind === 'hostile') return refuse('route_template', `routeTemplate: ${route.why}`);

  // 6. Its example, against its own schema.
  if (!isJsonObject(schema)) return refuse('schema', 'bazaar.schema is missing');
  const misfit = await judgeSchema(schema, info, asker);
  if (misfit === TOO_COSTLY || misfit === TOO_BUSY) return refuse('schema_cost', misfit);
  if (misfit !== undefined) return refuse('schema', misfit);

  const listing = listingOf({ resource, paid, extensions, bazaar, input, route });
  const dropped = route.kind === 'concrete' ? route.why : undefined;
  return {
    ok: true,
    listing,
    paid: paid.url,
    ...(dropped === undefined ? {} : { templateDropped: dropped }),
  };
}
