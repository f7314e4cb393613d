import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import type { Socket } from 'node:net';
import { connect as secureConnect } from 'node:tls';
import { type Dial, type Resolve, systemDial, systemResolve } from './dial.ts';
import { type FetchTarget, fetchTarget, type Reach } from './fetchTarget.ts';
import { isLoopbackAddress, isPublicAddress } from './publicAddress.ts';

/** How to fetch a URL from others. Undefined options have their production values. */
export interface FetchHeadersOptions {
  readonly reach?: Reach;
  readonly resolve?: Resolve;
  readonly dial?: Dial;
  /** PEM of the certificate authorities to trust instead of Node's. */
  readonly trustAnchors?: readonly string[];
  /** Timeout for name lookup, connection, TLS and headers together. */
  readonly timeoutMs: number;
  readonly maxHeaderBytes: number;
  /** HTTP method, without a body. Default: GET. */
  readonly method?: string;
  /** Ends the fetch early. */
  readonly signal?: AbortSignal;
}

export type FetchedHeaders =
  | { readonly kind: 'answered'; readonly answer: HeadersOnly }
  /** The URL or an address of its name is not permitted. Nothing was sent, and no socket was opened. */
  | { readonly kind: 'refused' }
  /** No readable response arrived in time. */
  | { readonly kind: 'failed'; readonly detail: string };

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(new Error('it was ended'));
    signal.addEventListener('abort', () => reject(new Error('it took too long')), { once: true });
  });
}

/** Returns the address to connect to: the first one, if all of the name's addresses are permitted. */
async function permittedAddress(
  target: FetchTarget,
  reach: Reach,
  resolve: Resolve,
): Promise<string | undefined> {
  const isPermitted = reach === 'public' ? isPublicAddress : isLoopbackAddress;
  const addresses = target.address === undefined ? await resolve(target.host) : [target.address];
  return addresses.every(isPermitted) ? addresses[0] : undefined;
}

/**
 * Fetches the headers of an untrusted URL without access to our own network (spec: ownerVerified,
 * checks 1 and 5). The name is resolved once; if any of its addresses is not public, no socket is opened;
 * the connection goes to exactly the address that was checked, with TLS verified for the name. One
 * deadline covers everything.
 */
export async function fetchHeaders(
  url: string,
  options: FetchHeadersOptions,
): Promise<FetchedHeaders> {
  const { reach = 'public', resolve = systemResolve, dial = systemDial } = options;
  const target = fetchTarget(url, reach);
  if (target === undefined) return { kind: 'refused' };
  const deadline = new AbortController();
  const end = (): void => deadline.abort();
  const timer = setTimeout(end, options.timeoutMs);
  options.signal?.addEventListener('abort', end);
  if (options.signal?.aborted) end();
  const { signal } = deadline;
  try {
    const address = await Promise.race([permittedAddress(target, reach, resolve), aborted(signal)]);
    if (address === undefined) return { kind: 'refused' };
    const { trustAnchors, maxHeaderBytes, method } = options;
    const answer = await requestHeaders(target, address, {
      dial,
      trustAnchors,
      maxHeaderBytes,
      method,
      signal,
    });
    return { kind: 'answered', answer };
  } catch (error) {
    return { kind: 'failed', detail: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', end);
  }
}

/** Status and headers of a response. Its body was not read. */
export interface HeadersOnly {
  readonly status: number;
  /** Returns the value of a header that occurs exactly once. */
  header(name: string): string | undefined;
  /** Returns all values of a header that may occur several times, as one list. */
  list(name: string): string | undefined;
}

interface RequestHeadersOptions {
  readonly dial: Dial;
  /** PEM of the certificate authorities to trust; Node's by default. */
  readonly trustAnchors: readonly string[] | undefined;
  /** Maximum size of all headers in bytes. */
  readonly maxHeaderBytes: number;
  readonly signal: AbortSignal;
  /** HTTP method, without a body. Default: GET. */
  readonly method?: string | undefined;
}

function headersOf(response: IncomingMessage): HeadersOnly {
  return {
    status: response.statusCode ?? 0,
    header: (name) => {
      const values = response.headersDistinct[name.toLowerCase()] ?? [];
      return values.length === 1 ? values[0] : undefined;
    },
    list: (name) => response.headersDistinct[name.toLowerCase()]?.join(', '),
  };
}

/** The socket of a request: TCP to the address, TLS for the name over it. */
function openSocket(
  target: FetchTarget,
  address: string,
  { dial, trustAnchors }: RequestHeadersOptions,
): Socket {
  const socket = dial(address, target.port);
  if (!target.secure) return socket;
  const secure = secureConnect({
    socket,
    // An address has no server name; its certificate must contain the address.
    ...(target.address === undefined ? { servername: target.host } : { host: target.host }),
    ...(trustAnchors === undefined ? {} : { ca: [...trustAnchors] }),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Set explicitly, since an environment variable could disable it.
    rejectUnauthorized: true,
  });
  // Closing TLS over a given socket does not close that socket.
  secure.once('close', () => socket.destroy());
  socket.once('error', (error) => secure.destroy(error));
  return secure;
}

/**
 * Requests a URL at a checked address, and ends the connection when the headers have arrived: the body
 * is not read. Redirects are not followed, no proxy is used, no cookie or credential is sent.
 * @throws the error that ends the connection first: TLS, time, size, the peer
 */
function requestHeaders(
  target: FetchTarget,
  address: string,
  options: RequestHeadersOptions,
): Promise<HeadersOnly> {
  const { signal, maxHeaderBytes, method = 'GET' } = options;
  return new Promise((resolve, reject) => {
    let socket: Socket | undefined;
    let request: ClientRequest | undefined;
    const end = (outcome: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      request?.destroy();
      socket?.destroy();
      outcome();
    };
    const fail = (error: Error): void => end(() => reject(error));
    const onAbort = (): void => fail(new Error('it took too long'));
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort);

    const opened = openSocket(target, address, options);
    socket = opened;
    opened.on('error', fail);
    // Uses `http` over a socket that is already secured, so that exactly the dialled socket is used. Any `agent`, even `false`,
    // would open its own connection instead.
    request = plainRequest({
      createConnection: () => opened,
      method,
      path: `${target.url.pathname}${target.url.search}`,
      headers: { host: target.url.host, accept: 'application/json', 'user-agent': 'svc-x402' },
      maxHeaderSize: maxHeaderBytes,
      insecureHTTPParser: false,
    });
    request.on('response', (response) => {
      const answer = headersOf(response);
      response.on('error', () => {});
      end(() => resolve(answer));
    });
    request.on('upgrade', () => fail(new Error('it switched to another protocol')));
    request.on('error', fail);
    request.end();
  });
}
