import {
  type CanonicalResource,
  canonicalSegments,
  hasHiddenCharacter,
  resourceOf,
} from '../../../protocol/index.ts';

export type JudgedTemplate =
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
export function covers(route: CanonicalResource, url: CanonicalResource): boolean {
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
export function judgeRouteTemplate(value: unknown, paid: CanonicalResource): JudgedTemplate {
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
