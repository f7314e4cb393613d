import type { ErrorCode } from '../../protocol/index.ts';

/** What a browser says about the page behind a request, and what the request carries. */
export interface PageRequest {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site` (W3C Fetch Metadata); programs other than browsers do not send it. */
  readonly fetchSite: string | undefined;
  readonly contentType: string | undefined;
  /** Whether a body follows: a length other than 0, or chunks. */
  readonly hasBody: boolean;
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;

/** Hosts of a developer's own pages, on any port. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

function hostOf(origin: string): URL | undefined {
  try {
    return new URL(origin);
  } catch {
    return undefined;
  }
}

/**
 * Whether a page of this origin may use routes that write: pages on this machine's loopback names, pages
 * of this service itself, and origins that the operator named (`ALLOWED_ORIGINS`).
 */
export function isAllowedOrigin(
  origin: string,
  host: string | undefined,
  allowed: readonly string[],
): boolean {
  // Sandboxed frames and files send `null`: they have no identity.
  const page = hostOf(origin);
  if (page === undefined || !/^https?:$/.test(page.protocol)) return false;
  if (LOOPBACK.has(page.hostname)) return true;
  return page.host === host?.toLowerCase() || allowed.includes(page.origin);
}

/**
 * Judges whether a page of another origin is behind a request that writes or makes the service fetch.
 * A browser sends a form or `no-cors` request to any address without asking first, but never with a
 * JSON content type, which needs a preflight; and it names the page in `Origin`.
 *
 * @returns the code of the refusal, or `undefined` if the request may proceed
 */
export function judgePage(
  request: PageRequest,
  allowed: readonly string[],
): Extract<ErrorCode, 'foreign_origin' | 'unsupported_media_type'> | undefined {
  const { method, origin, host, fetchSite } = request;
  if (READS.has(method)) return undefined;
  if (origin !== undefined) {
    if (!isAllowedOrigin(origin, host, allowed)) return 'foreign_origin';
  } else if (fetchSite === 'cross-site' || fetchSite === 'same-site') return 'foreign_origin';
  const isJson = JSON_TYPE.test(request.contentType ?? '');
  if (!isJson && (request.hasBody || request.contentType !== undefined)) {
    return 'unsupported_media_type';
  }
  return undefined;
}

/**
 * Returns headers that let a page read the response. Every page may read public resources; only an
 * allowed page may read the response to a write.
 */
export function readableBy(
  { method, origin, host }: Pick<PageRequest, 'method' | 'origin' | 'host'>,
  allowed: readonly string[],
): Readonly<Record<string, string>> {
  if (method === 'GET' || method === 'HEAD') return { 'access-control-allow-origin': '*' };
  if (origin === undefined || !isAllowedOrigin(origin, host, allowed)) return {};
  return { 'access-control-allow-origin': origin, vary: 'Origin' };
}

/** Answer to a preflight (Fetch standard): what an allowed page may send. */
export function preflightHeaders(
  request: Pick<PageRequest, 'method' | 'origin' | 'host'>,
  allowed: readonly string[],
): Readonly<Record<string, string>> {
  const { origin, host } = request;
  if (origin === undefined || !isAllowedOrigin(origin, host, allowed)) return { vary: 'Origin' };
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '600',
    vary: 'Origin',
  };
}
