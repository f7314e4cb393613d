import type { Rejection } from '../facilitator/index.ts';
import {
  clientAddress,
  clientKey,
  isLoopback,
  type RateLimiter,
  rateLimitHeaders,
} from './rateLimit/index.ts';

/** Whether a request is let in. */
export interface Admission {
  readonly rejection: Rejection | undefined;
  /** For the answer, whichever it is. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface GateOptions {
  readonly rateLimiter: RateLimiter | undefined;
  readonly rateLimitExemptsLoopback: boolean;
  readonly trustedProxyHops: number;
  readonly closing: () => boolean;
}

export type Gate = (
  path: string,
  peer: string | undefined,
  forwardedFor: string | undefined,
) => Promise<Admission>;

const OPEN: Admission = { rejection: undefined, headers: {} };
const CLOSING: Admission = {
  rejection: { code: 'shutting_down' },
  headers: { connection: 'close', 'retry-after': '5' },
};

/** What all connections without an address are counted under. */
const NO_ADDRESS = 'none';

/**
 * Lets requests in: none once the service stops, and of each client only so many a minute, except
 * for `/health` (spec: Limits/Request rate).
 */
export function createGate(options: GateOptions): Gate {
  const { rateLimiter, rateLimitExemptsLoopback, trustedProxyHops, closing } = options;
  return async (path, peer, forwardedFor) => {
    if (closing()) return CLOSING;
    if (rateLimiter === undefined || path === '/health') return OPEN;
    const address = clientAddress(peer, forwardedFor, trustedProxyHops);
    if (rateLimitExemptsLoopback && address !== undefined && isLoopback(address)) return OPEN;
    const verdict = await rateLimiter.take(address === undefined ? NO_ADDRESS : clientKey(address));
    return {
      rejection: verdict.allowed ? undefined : { code: 'rate_limited' },
      headers: rateLimitHeaders(verdict),
    };
  };
}
