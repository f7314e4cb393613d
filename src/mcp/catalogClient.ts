import type { z } from 'zod';
import { quoted } from '../protocol/index.ts';
import { CatalogError } from './catalogError.ts';

/** Values of a query; undefined values are left out. */
export type CatalogQuery = Readonly<Record<string, string | number | boolean | undefined>>;

/** Reads one page of the catalog. */
export type CatalogRead = <T>(
  path: '/discovery/resources' | '/discovery/search',
  query: CatalogQuery,
  schema: z.ZodType<T>,
  signal: AbortSignal,
) => Promise<T>;

/** A hosted service that is asleep takes this long to answer its first call (spec: Limits/Cold start). */
const TIMEOUT_MS = 120_000;
const MAX_REDIRECTS = 3;
/** A page of a hundred entries of maximum length is far smaller. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/**
 * Creates the client for the catalog's HTTP interface, the only one there is.
 * @param findUrl returns the facilitator's address; called again for each request
 * @throws CatalogError
 */
export function catalogClient(
  findUrl: () => Promise<string>,
  fetch: typeof globalThis.fetch,
): CatalogRead {
  return async (path, query, schema, signal) => {
    const base = await findUrl();
    const url = requestUrl(base, path, query);
    const limited = withTimeout(signal);
    let response: Response;
    let text: string;
    try {
      response = await ask(url, fetch, limited.signal);
      text = await readBounded(response);
    } catch (cause) {
      if (signal.aborted || cause instanceof CatalogError) throw cause;
      throw unreachable(base, cause);
    } finally {
      limited.done();
    }
    const answer = parseJson(text);
    if (!response.ok) throw refusal(response.status, answer, base);
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    throw new CatalogError('bad_answer', `${base} answered ${path}, but not as an x402 catalog.`);
  };
}

/**
 * Sends a request and follows redirects within the origin only. Otherwise a catalog could send its
 * reader to addresses that only this machine can reach.
 */
async function ask(
  url: URL,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<Response> {
  let from = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const headers = { accept: 'application/json' };
    const response = await fetch(from, { signal, headers, redirect: 'manual' });
    const target = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || target === null) return response;
    await response.body?.cancel();
    const to = readTarget(target, from);
    if (to?.origin !== url.origin) {
      throw new CatalogError(
        'bad_answer',
        `${url.origin} redirects to another origin, ${quoted(to?.origin ?? target)}, and the redirect is not followed. ` +
          'If the service has moved, set FACILITATOR_URL to its new address.',
      );
    }
    from = to;
  }
  throw new CatalogError('bad_answer', `${url.origin} redirects in a loop.`);
}

function readTarget(target: string, from: URL): URL | undefined {
  try {
    return new URL(target, from);
  } catch {
    return undefined;
  }
}

/** Node 18 does not have `AbortSignal.any`. */
function withTimeout(signal: AbortSignal): { readonly signal: AbortSignal; done(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(new Error('no answer in time')), TIMEOUT_MS);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    },
  };
}

function requestUrl(base: string, path: string, query: CatalogQuery): URL {
  let url: URL;
  try {
    url = new URL(`${base}${path}`);
  } catch (cause) {
    throw new CatalogError('service_unreachable', `FACILITATOR_URL is not a URL: ${base}`, {
      cause,
    });
  }
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) {
      throw new CatalogError('bad_answer', "The catalog's response is larger than 8 MiB.");
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function unreachable(base: string, cause: unknown): CatalogError {
  return new CatalogError(
    'service_unreachable',
    `No x402 service answers at ${base}. Start the local one (in the editor: "Svc: Start local ` +
      'service", in a terminal: `npx svc-x402 dev`), or set FACILITATOR_URL to another.',
    { cause },
  );
}

function refusal(status: number, answer: unknown, base: string): CatalogError {
  const said = wordsOf(answer);
  if (said.includes('verified_only_unavailable')) {
    return new CatalogError(
      'verified_only_unavailable',
      'verified_only is not available: no attestation service is configured (verified_only_unavailable). ' +
        'Omit it and read trust.ownerVerified of each resource instead: it is true if the ' +
        "service found the recipient in the resource's own payment terms.",
    );
  }
  if (status === 429) {
    return new CatalogError('rate_limited', `${base} is rate-limiting requests. Wait a minute.`);
  }
  if (status >= 400 && status < 500) {
    return new CatalogError(
      'invalid_request',
      `The service refused the request (${status}): ${said}`,
    );
  }
  return new CatalogError('bad_answer', `${base} failed (${status}): ${said}`);
}

/** Returns an error body's message on one line, in quotes: agents read it, and anyone may have written it. */
function wordsOf(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return 'no reason given';
  const { error, reason, message, detail } = answer as Readonly<Record<string, unknown>>;
  const words = [error, reason, message, detail].filter((word) => typeof word === 'string');
  return words.length === 0 ? 'no reason given' : quoted([...new Set(words)].join(': '), 500);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
