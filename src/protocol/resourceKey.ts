import { canonicalSegments } from './canonicalPath.ts';
import { hasHiddenCharacter } from './visibleText.ts';

declare const keyBrand: unique symbol;

/** What a resource is known by, whatever a payer writes. Two resources are one if their keys are. */
export type ResourceKey = string & { readonly [keyBrand]: true };

/** A resource as the catalog names it. */
export interface CanonicalResource {
  readonly key: ResourceKey;
  /** The URL as it is listed: the key with its parameters' names. */
  readonly url: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path segments in their one spelling; a parameter begins with `:`. */
  readonly segments: readonly string[];
  /** Whether a segment stands for any value: such a URL is a shape, and cannot be fetched. */
  readonly templated: boolean;
}

export type ResourceProblem =
  | 'not_a_url'
  | 'too_long'
  | 'hidden_character'
  | 'unsupported_scheme'
  | 'no_host'
  | 'bad_path';

export type ParsedResource =
  | { readonly ok: true; readonly resource: CanonicalResource }
  | { readonly ok: false; readonly problem: ResourceProblem };

/** Longest URL that is read, in UTF-16 units, before and after it is brought to its one spelling. */
export const MAX_RESOURCE_URL_LENGTH = 2_048;

/** Longest name the domain name system carries. */
const MAX_HOST_LENGTH = 253;

const SURROUNDING_SPACE = /^[ \t\r\n]+|[ \t\r\n]+$/g;
const SCHEMES = new Set(['http:', 'https:', 'mcp:']);

function hostOf(url: URL): string | undefined {
  // Of an `mcp:` URL the parser leaves the host as it is written.
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  if (host.length > MAX_HOST_LENGTH || host.split('.').includes('')) return undefined;
  return url.protocol !== 'mcp:' || /^[a-z0-9._~-]+$/.test(host) ? host : undefined;
}

/** The key of segments below an origin: what a parameter is called does not tell resources apart. */
function keyOf(origin: string, segments: readonly string[]): ResourceKey {
  const path = segments.map((segment) => (segment.startsWith(':') ? ':' : segment));
  return [origin, ...path].join('/') as ResourceKey;
}

/** The resource of an origin and of segments that are already in their one spelling. */
export function resourceOf(origin: string, segments: readonly string[]): CanonicalResource {
  return {
    key: keyOf(origin, segments),
    url: [origin, ...segments].join('/'),
    origin,
    segments,
    templated: segments.some((segment) => segment.startsWith(':')),
  };
}

/**
 * Brings a resource's URL to its one spelling (spec: Catalog entry/resource). The rules:
 *
 * 1. White space around it is dropped. A character that is not seen (control, zero-width, direction)
 *    is refused, written or percent-encoded: the parser would drop some of them.
 * 2. The scheme is `http`, `https` or, for tools, `mcp`; in lower case. Schemes stay apart.
 * 3. The host is in lower case, international names in their ASCII form (UTS 46), addresses in the
 *    form of the URL standard (`0x7f.1` is `127.0.0.1`), without the dot at its end. A name with an empty label is refused.
 * 4. The scheme's default port is dropped, any other is kept.
 * 5. User and password, query and fragment are dropped.
 * 6. Dot segments are resolved, also percent-encoded ones; `\` is `/`; empty segments and the slash
 *    at the end are dropped, so that the root has no path.
 * 7. In a segment, what may stand as it is (RFC 3986: pchar) is not encoded, all else is, in upper
 *    case; UTF-8 text is normalised (NFC). Encoding is undone once: `%2541` stays. An encoded slash
 *    stays encoded, and a segment with it another segment. Letter case is kept.
 * 8. `:name`, `{name}` and `[name]` are one parameter, listed as `:name`; in the key it is `:`, since
 *    another name makes no other route. A `:` at the start of a fixed segment counts as one.
 *
 * Applied to its own result it changes nothing.
 */
export function parseResource(text: string): ParsedResource {
  const trimmed = text.replace(SURROUNDING_SPACE, '');
  if (trimmed.length > MAX_RESOURCE_URL_LENGTH) return { ok: false, problem: 'too_long' };
  if (hasHiddenCharacter(trimmed)) return { ok: false, problem: 'hidden_character' };
  let url: URL;
  try {
    url = new URL(trimmed);
  } catch {
    return { ok: false, problem: 'not_a_url' };
  }
  if (!SCHEMES.has(url.protocol)) return { ok: false, problem: 'unsupported_scheme' };
  const host = hostOf(url);
  if (host === undefined) return { ok: false, problem: 'no_host' };
  const segments = canonicalSegments(url.pathname);
  if (segments === undefined) return { ok: false, problem: 'bad_path' };
  const origin = `${url.protocol}//${host}${url.port === '' ? '' : `:${url.port}`}`;
  const resource = resourceOf(origin, segments);
  return resource.url.length > MAX_RESOURCE_URL_LENGTH
    ? { ok: false, problem: 'too_long' }
    : { ok: true, resource };
}

/** The key of a tool of an MCP server: a server offers many at one URL. */
export function toolKey(server: ResourceKey, toolName: string): ResourceKey {
  return `${server}#${toolName}` as ResourceKey;
}
