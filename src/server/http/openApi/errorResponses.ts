import {
  DISCOVERY_CODES,
  ERROR_TABLE,
  type ErrorCode,
  type HttpStatus,
  SETTLE_CODES,
} from '../../../protocol/index.ts';
import type { Endpoint } from '../errorBodies.ts';

/** Codes that the two routes which take payments never answer. */
const OF_OTHER_ROUTES: readonly ErrorCode[] = ['not_found', 'internal_error'];
/** Codes that any request can meet, whatever its path. */
const OF_ANY_ROUTE: readonly ErrorCode[] = [
  'rate_limited',
  'shutting_down',
  'not_ready',
  'request_timeout',
  'headers_too_large',
  'invalid_http',
  'wrong_host',
  'method_not_allowed',
  'internal_error',
];

/** Settlement codes that verification also returns. */
const ALSO_OF_VERIFY: readonly ErrorCode[] = ['store_unavailable', 'payer_backoff'];

/** Codes of messages that are refused before MCP reads them. */
const OF_MCP: readonly ErrorCode[] = ['body_too_large', 'foreign_origin', 'unsupported_media_type'];

/** Codes of the lookup of a settlement alone. */
const OF_SETTLEMENTS: readonly ErrorCode[] = ['invalid_request', 'not_found', 'store_unavailable'];

const CODES = Object.keys(ERROR_TABLE) as readonly ErrorCode[];

function canMeet(endpoint: Endpoint, code: ErrorCode): boolean {
  switch (endpoint) {
    case 'verify':
      return (
        (!SETTLE_CODES.includes(code) || ALSO_OF_VERIFY.includes(code)) &&
        !OF_OTHER_ROUTES.includes(code) &&
        !DISCOVERY_CODES.includes(code)
      );
    case 'settle':
      return (
        !OF_OTHER_ROUTES.includes(code) &&
        !DISCOVERY_CODES.includes(code) &&
        code !== 'unexpected_verify_error' &&
        code !== 'ledger_unavailable'
      );
    case 'discovery':
      return (
        OF_ANY_ROUTE.includes(code) || DISCOVERY_CODES.includes(code) || code === 'body_too_large'
      );
    case 'settlements':
      return OF_ANY_ROUTE.includes(code) || OF_SETTLEMENTS.includes(code);
    case 'mcp':
      return OF_ANY_ROUTE.includes(code) || OF_MCP.includes(code);
    case 'other':
      return OF_ANY_ROUTE.includes(code);
  }
}

/** The codes that an endpoint answers with, by status. */
export function codesByStatus(endpoint: Endpoint): ReadonlyMap<HttpStatus, readonly ErrorCode[]> {
  const found = new Map<HttpStatus, ErrorCode[]>();
  for (const code of CODES) {
    if (!canMeet(endpoint, code)) continue;
    const { status } = ERROR_TABLE[code];
    found.set(status, [...(found.get(status) ?? []), code]);
  }
  return found;
}
