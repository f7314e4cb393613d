import { type Dial, type Resolve, systemDial, systemResolve } from './dial.ts';
import { type FetchTarget, fetchTarget, type Reach } from './fetchTarget.ts';
import { isLoopbackAddress, isPublicAddress } from './publicAddress.ts';
import { type HeadersOnly, requestHeaders } from './requestHeaders.ts';

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
