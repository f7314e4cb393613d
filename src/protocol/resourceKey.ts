import { hasHiddenCharacter } from '../../common/visibleText.ts';
import { canonicalSegments } from './canonicalPath.ts';

declare const keyBrand: unique symbol;

/** Identifies a resource, however a payer writes its URL. Two resources are the same if their keys are equal. */
export type ResourceKey = string & { readonly [keyBrand]: true };

/** A resource's identity in the catalog. */
export interface CanonicalResource {
  readonly key: ResourceKey;
  /** The URL in the listing: the key with its parameters' names. */
  readonly url: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path segments in their canonical spelling; a parameter begins with `:`. */
  readonly segments: readonly string[];
  /** Whether a segment matches any value: such a URL is a template and cannot be fetched. */
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

/** Longest URL that is accepted, in UTF-16 units, before and after canonicalization. */
export const MAX_RESOURCE_URL_LENGTH = 2_048;

/** Longest host name in DNS. */
const MAX_HOST_LENGTH = 253;

const SURROUNDING_SPACE = /^[ \t\r\n]+|[ \t\r\n]+$/g;
const SCHEMES = new Set(['http:', 'https:', 'mcp:']);

function hostOf(url: URL): string | undefined {
  // The parser does not normalize the host of an `mcp:` URL.
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  if (host.length > MAX_HOST_LENGTH || host.split('.').includes('')) return undefined;
  return url.protocol !== 'mcp:' || /^[a-z0-9._~-]+$/.test(host) ? host : undefined;
}

/** Returns the key of segments below an origin: a parameter's name does not distinguish resources. */
function keyOf(origin: string, segments: readonly string[]): ResourceKey {
  const path = segments.map((segment) => (segment.startsWith(':') ? ':' : segment));
  return [origin, ...path].join('/') as ResourceKey;
}

/** Returns the resource at an origin and segments that are already in their canonical spelling. */
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
 * Converts a resource's URL to its canonical spelling (spec: Catalog entry/resource). The rules:
 *
 * 1. White space around it is dropped. An invisible character (control, zero-width, direction) is
 *    refused, literal or percent-encoded: the parser would drop some of them.
 * 2. The scheme is `http`, `https` or, for tools, `mcp`; in lower case. Different schemes are different resources.
 * 3. The host is in lower case, international names are in their ASCII form (UTS 46), addresses in the
 *    form of the URL standard (`0x7f.1` is `127.0.0.1`), without a trailing dot. A name with an empty label is refused.
 * 4. The scheme's default port is dropped, any other is kept.
 * 5. User and password, query and fragment are dropped.
 * 6. Dot segments are resolved, including percent-encoded ones; `\` is `/`; empty segments and the
 *    trailing slash are dropped, so that the root has no path.
 * 7. In a segment, characters that need no encoding (RFC 3986: pchar) are not encoded; all others are, in
 *    upper case. UTF-8 text is normalized (NFC). Encoding is undone once: `%2541` stays. An encoded slash
 *    stays encoded, so the segment differs from one without it. Letter case is kept.
 * 8. `:name`, `{name}` and `[name]` are the same parameter, listed as `:name`; in the key it is `:`, since
 *    another name does not make another route. A `:` at the start of a fixed segment counts as a parameter.
 *
 * The function is idempotent.
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

/** Returns the key of an MCP server's tool, since a server offers many tools at one URL. */
export function toolKey(server: ResourceKey, toolName: string): ResourceKey {
  return `${server}#${toolName}` as ResourceKey;
}
