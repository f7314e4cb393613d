import {
  type CanonicalResource,
  canonicalSegments,
  hasHiddenCharacter,
  isLookAlike,
  parseResource,
  type ResourceProblem,
  resourceOf,
  toolKey,
} from '../../../protocol/index.ts';
import type { CatalogReason } from '../../../protocol/wire/index.ts';
import type { EchoedBazaar, EchoedInput, EchoedResource } from './echoed.ts';
import {
  boundedJson,
  isJsonObject,
  type Json,
  type JsonObject,
  visibleObject,
} from './jsonTree.ts';
import { judgeSchema, type SchemaAsker, TOO_BUSY, TOO_COSTLY } from './judgeSchema.ts';
import type { Listing } from './listing.ts';
import { descriptionOf, iconUrlOf, mimeTypeOf, serviceNameOf, tagsOf } from './listingText.ts';

type JudgedTemplate =
  /** The listing is under the template. */
  | { readonly kind: 'template'; readonly resource: CanonicalResource }
  /** No template, or one that does not match this URL: the listing is under the URL that was paid for. */
  | { readonly kind: 'concrete'; readonly why?: string }
  /** It leads outside the path or contains invisible characters: nothing is listed. */
  | { readonly kind: 'hostile'; readonly why: string };

const MAX_LENGTH = 512;
const MAX_DECODINGS = 4;
const ALLOWED = /^\/[A-Za-z0-9_/:.\-~%{}[\]]*$/;

/** Percent-decodes a text until it no longer changes; `undefined` if it cannot be decoded. */
function decoded(text: string): string | undefined {
  let current = text;
  for (let round = 0; round < MAX_DECODINGS; round++) {
    let next: string;
    try {
      next = decodeURIComponent(current);
    } catch {
      return undefined;
    }
    if (next === current) return current;
    current = next;
  }
  return undefined;
}

function hostility(template: string): string | undefined {
  if (template.length > MAX_LENGTH) return `longer than ${MAX_LENGTH} characters`;
  const plain = decoded(template);
  if (plain === undefined) return 'its percent-encoding is broken or nested';
  if (plain.split(/[/\\]/).some((segment) => /^\.+$/.test(segment)) || plain.includes('..')) {
    return 'it leads outside its path';
  }
  if (plain.includes('://') || plain.startsWith('//')) return 'it names another origin';
  if (plain.includes('\\')) return 'it contains a backslash';
  if (/\p{Zs}/u.test(plain) || hasHiddenCharacter(plain)) {
    return 'it contains white space or an invisible character';
  }
  if (/[?#@<>"'`]/.test(plain)) return 'it contains more than a path';
  return undefined;
}

/**
 * Whether a URL is an instance of a route: the same number of segments, the fixed ones equal. Letter
 * case does not matter here: the routers of the usual frameworks ignore it.
 */
function covers(route: CanonicalResource, url: CanonicalResource): boolean {
  return (
    route.origin === url.origin &&
    route.segments.length === url.segments.length &&
    route.segments.every(
      (segment, at) =>
        segment.startsWith(':') || segment.toLowerCase() === url.segments[at]?.toLowerCase(),
    )
  );
}

/**
 * Checks the `routeTemplate` of a declaration (spec: Ingest sanitization). Parameters can be written `:name`, `{name}` or
 * `[name]`. A template that is merely not a route (no slash at its start, as `@x402/next` sends; a wildcard; another path than
 * the one paid for) is dropped and the concrete URL is listed; otherwise no seller with such a framework could be listed. A
 * hostile one is refused.
 */
function judgeRouteTemplate(value: unknown, paid: CanonicalResource): JudgedTemplate {
  if (value === undefined || value === null || value === '') return { kind: 'concrete' };
  if (typeof value !== 'string') return { kind: 'hostile', why: 'it is not a string' };
  const why = hostility(value);
  if (why !== undefined) return { kind: 'hostile', why };
  const segments = ALLOWED.test(value) ? canonicalSegments(value) : undefined;
  if (segments === undefined) return { kind: 'concrete', why: 'it is not a path with parameters' };
  const route = resourceOf(paid.origin, segments);
  if (!route.templated) return { kind: 'concrete', why: 'it has no parameter' };
  return covers(route, paid)
    ? { kind: 'template', resource: route }
    : { kind: 'concrete', why: 'the paid URL does not match it' };
}

/** Names of tools in MCP (specification of 2025-11-25: 1 to 128 of these characters). */
const TOOL_NAME = /^[A-Za-z0-9_./-]{1,128}$/;

/** Reads a declared tool's name (spec: Catalog reasons/invalid_tool_name). */
function toolNameOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !TOOL_NAME.test(value)) return undefined;
  // A name in plain letters is only a word: many tools could have that name.
  return isLookAlike(value) && value.toLowerCase() !== 'usdc' ? undefined : value;
}

const QUERY_METHODS = new Set(['GET', 'HEAD', 'DELETE']);
const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);
const BODY_TYPES = new Set(['json', 'form-data', 'text']);
const TRANSPORTS = new Set(['streamable-http', 'sse']);

const isOneOf = (value: Json | undefined, names: ReadonlySet<string>): boolean =>
  value === undefined || (typeof value === 'string' && names.has(value));

function checkHttp({ method, bodyType }: EchoedInput): string | undefined {
  if (!isOneOf(method, QUERY_METHODS) && !isOneOf(method, BODY_METHODS)) {
    return 'info.input.method is not GET, HEAD, DELETE, POST, PUT or PATCH';
  }
  if (!isOneOf(bodyType, BODY_TYPES)) return 'info.input.bodyType is not json, form-data or text';
  if (bodyType !== undefined && !isOneOf(method, BODY_METHODS)) {
    return 'info.input.bodyType is set, but the method has no body';
  }
  return undefined;
}

function checkTool({ inputSchema, transport }: EchoedInput): string | undefined {
  if (!isJsonObject(inputSchema)) return 'info.input.inputSchema of a tool is missing';
  if (!isOneOf(transport, TRANSPORTS)) return 'info.input.transport is not streamable-http or sse';
  return undefined;
}

/**
 * Checks the form of a declaration's `info.input`, which the seller's own schema cannot guarantee.
 * Source: bazaar extension of x402 v2, as `validateDiscoveryExtensionSpec` reads it.
 * @returns the problem, or `undefined`
 */
function checkInput(input: EchoedInput): string | undefined {
  if (input.type === 'http') return checkHttp(input);
  if (input.type === 'mcp') return checkTool(input);
  return 'info.input.type is neither http nor mcp';
}

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

/** The texts of a listing. */
interface ListedTexts {
  readonly description?: string;
  readonly mimeType?: string;
  readonly serviceName?: string;
  readonly iconUrl?: string;
  readonly tags: readonly string[];
}

/**
 * Returns the texts of a resource. A text that breaks its rule is left out
 * (spec: Ingest sanitization).
 * @param otherwise a description to use if the resource has none
 */
function listedTexts(resource: EchoedResource, otherwise?: unknown): ListedTexts {
  const description = descriptionOf(resource.description) ?? descriptionOf(otherwise);
  const mimeType = mimeTypeOf(resource.mimeType);
  const serviceName = serviceNameOf(resource.serviceName);
  const iconUrl = iconUrlOf(resource.iconUrl);
  return {
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(serviceName === undefined ? {} : { serviceName }),
    ...(iconUrl === undefined ? {} : { iconUrl }),
    tags: tagsOf(resource.tags),
  };
}
