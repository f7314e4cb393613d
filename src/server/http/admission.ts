import { isLoopbackHost } from '../../machine/index.ts';
import { type ApiKey, findApiKey, limitKeyOf } from '../apiKeys.ts';
import type { Rejection } from '../facilitator/index.ts';
import { judgePage, type PageRequest } from './pageOrigin.ts';
import {
  clientAddress,
  clientKey,
  clientName,
  isLoopback,
  type RateLimiter,
  rateLimitHeaders,
  readProxies,
} from './rateLimit/index.ts';

/** Whether a request is accepted. */
export interface Admission {
  readonly rejection: Rejection | undefined;
  /** Headers for the response in either case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The client's name in the store; `undefined` if the request was refused before it was needed. */
  readonly client: string | undefined;
  /** Name of the caller's API key. */
  readonly apiKey?: string;
}

export interface GateOptions {
  /** `undefined` sets no limit. */
  readonly rateLimiter: RateLimiter | undefined;
  readonly rateLimitExemptsLoopback: boolean;
  /** Whether to answer only requests whose Host names this machine. */
  readonly loopbackNamesOnly: boolean;
  readonly trustedProxyHops: number;
  /** The nearest proxy's addresses and networks; empty: any connection may carry `X-Forwarded-For`. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may write, in addition to those on loopback names. */
  readonly allowedOrigins: readonly string[];
  /** Callers that may use `/verify` and `/settle`; if empty, everyone may. */
  readonly apiKeys: readonly ApiKey[];
  /** Counts requests of keys that have a limit of their own, by the key's name. */
  readonly keyLimiters: ReadonlyMap<string, RateLimiter>;
  /** Whether the service is stopping. */
  readonly closing: () => boolean;
}

/** The facts about a request before it is read. */
export interface Arrival extends PageRequest {
  readonly path: string;
  readonly peer: string | undefined;
  readonly forwardedFor: string | undefined;
  readonly authorization?: string | undefined;
}

export type Gate = (arrival: Arrival) => Promise<Admission>;

const CLOSING: Admission = {
  rejection: { code: 'shutting_down' },
  headers: { connection: 'close', 'retry-after': '5' },
  client: undefined,
};

/** A page's own name may resolve to this machine (DNS rebinding), but the Host header still has that name. */
const WRONG_HOST: Admission = {
  rejection: { code: 'wrong_host' },
  headers: {},
  client: undefined,
};

/** The key under which all connections without an address are counted. */
const NO_ADDRESS = 'none';

/** Admits the holder of an API key, within its own limit of requests. */
async function admitHolder(
  holder: ApiKey,
  { rateLimiter, keyLimiters }: GateOptions,
): Promise<Admission> {
  const key = limitKeyOf(holder);
  const admitted = {
    rejection: undefined,
    headers: {},
    client: clientName(key),
    apiKey: holder.name,
  };
  const limiter = keyLimiters.get(holder.name) ?? rateLimiter;
  if (limiter === undefined) return admitted;
  const verdict = await limiter.take(key);
  const headers = rateLimitHeaders(verdict);
  if (verdict.allowed) return { ...admitted, headers };
  return { ...admitted, rejection: { code: 'rate_limited' }, headers };
}

/**
 * Creates the gate for requests. It refuses requests once the service stops, requests under another host name if only
 * this machine's names are allowed, writes by pages of other origins, and more requests per minute and client than the
 * limit, except for `/health` (spec: Limits/Request rate). A client far over its limit is disconnected with the refusal.
 */
export function createGate(options: GateOptions): Gate {
  const { rateLimiter, rateLimitExemptsLoopback, trustedProxyHops, closing } = options;
  const isProxy = readProxies(options.trustedProxies);
  return async (arrival) => {
    const { path, peer, host, forwardedFor } = arrival;
    if (closing()) return CLOSING;
    if (options.loopbackNamesOnly && !isLoopbackHost(host)) return WRONG_HOST;
    // Passkey routes check the page themselves, by a secret and by the page's own origin.
    const page = path.startsWith('/passkeys')
      ? undefined
      : judgePage(arrival, options.allowedOrigins);
    if (page !== undefined) return { rejection: { code: page }, headers: {}, client: undefined };
    const address = clientAddress(peer, forwardedFor, trustedProxyHops, isProxy);
    const takesPayment = path === '/verify' || path === '/settle';
    const holder = takesPayment ? findApiKey(options.apiKeys, arrival.authorization) : undefined;
    if (holder !== undefined) return admitHolder(holder, options);
    const key = address === undefined ? NO_ADDRESS : clientKey(address);
    const client = clientName(key);
    // Counted below like all requests of the address, so that keys cannot be guessed quickly.
    const needsKey = takesPayment && options.apiKeys.length > 0;
    const rejection = needsKey ? ({ code: 'api_key_required' } as const) : undefined;
    const authenticate: Readonly<Record<string, string>> = needsKey
      ? { 'www-authenticate': 'Bearer' }
      : {};
    const open = { rejection, headers: authenticate, client };
    if (rateLimiter === undefined || path === '/health' || path === '/ready') return open;
    // A program that waits for a passkey polls often; these routes work only on this machine.
    const exempt = rateLimitExemptsLoopback || path.startsWith('/passkeys/');
    if (exempt && address !== undefined && isLoopback(address)) return open;
    const verdict = await rateLimiter.take(key);
    const headers = rateLimitHeaders(verdict);
    if (verdict.allowed) return { rejection, headers: { ...headers, ...authenticate }, client };
    return {
      rejection: { code: 'rate_limited' },
      headers: verdict.isFarOver ? { ...headers, connection: 'close' } : headers,
      client,
    };
  };
}
