import { type AtomicAmount, atomicAmount } from '../protocol/index.ts';
import type { Price, ProxyConfig } from './config/config.ts';
import { readAmount } from './config/readConfig.ts';
import type { Params } from './routes.ts';
import { type StoredBody, streamOf } from './spool.ts';
import type { Upstream } from './upstream.ts';

/** A price, or why there is none: a refusal for the client. */
export type Quoted =
  | { readonly ok: true; readonly amount: AtomicAmount }
  | {
      readonly ok: false;
      readonly status: 400 | 413 | 502;
      readonly error: string;
      readonly message: string;
    };

/** What a price depends on. */
export interface PricedRequest {
  readonly query: string;
  readonly params: Params;
  readonly header: (name: string) => string | undefined;
  /** Read only if the price needs it. */
  readonly body: () => Promise<StoredBody | undefined>;
}

/** Longest body in which something is counted. */
const MAX_COUNTED_BYTES = 4 << 20;
/** Largest count. */
const MAX_COUNT = 1_000_000;

const refusal = (status: 400 | 413 | 502, error: string, message: string): Quoted => ({
  ok: false,
  status,
  error,
  message,
});

async function textOf(body: StoredBody): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of streamOf(body)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

/** Follows a path in a value of others: own members only, and `length` of lists and texts. */
function follow(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (name === 'length' && (Array.isArray(at) || typeof at === 'string')) {
      at = at.length;
      continue;
    }
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return at;
}

/** Returns the count that a price is multiplied with; `undefined` if the request has none. */
async function countOf(
  of: string,
  request: PricedRequest,
): Promise<number | 'too_large' | undefined> {
  const [source = '', ...path] = of.split('.');
  let found: unknown;
  if (source === 'body') {
    const body = await request.body();
    if (body === undefined) return undefined;
    if (body.length > MAX_COUNTED_BYTES) return 'too_large';
    try {
      found = follow(JSON.parse(await textOf(body)), path);
    } catch {
      return undefined;
    }
  } else if (source === 'query') {
    // Servers that read only the first or the last of several values would serve another number than was paid.
    const values = new URLSearchParams(request.query).getAll(path.join('.'));
    found = values.length === 1 ? values[0] : undefined;
  } else
    found = source === 'params' ? request.params[path.join('.')] : request.header(path.join('.'));
  const count =
    typeof found === 'number'
      ? found
      : /^\d{1,9}$/.test(String(found))
        ? Number(found)
        : Number.NaN;
  return Number.isSafeInteger(count) && count >= 1 && count <= MAX_COUNT ? count : undefined;
}

/** Returns the price of a request. */
export async function priceOf(
  price: Price,
  request: PricedRequest,
  asked: (path: string) => Promise<AtomicAmount | undefined>,
): Promise<Quoted> {
  switch (price.kind) {
    case 'fixed':
      return { ok: true, amount: price.amount };
    case 'per': {
      const count = await countOf(price.of, request);
      if (count === 'too_large')
        return refusal(
          413,
          'body_too_large',
          `The price counts ${price.of}, and the body is longer than 4 MiB.`,
        );
      if (count === undefined) {
        return refusal(
          400,
          'price_unknown',
          `The price counts ${price.of}: send it as a whole number from 1, once.`,
        );
      }
      const amount = atomicAmount(price.amount * BigInt(count));
      return amount === undefined || amount > price.max
        ? refusal(
            400,
            'price_too_high',
            "The price of this request is above the seller's ceiling. Ask for less.",
          )
        : { ok: true, amount };
    }
    case 'ask': {
      const amount = await asked(`${price.path}${request.query}`);
      if (amount === undefined)
        return refusal(
          502,
          'price_unknown',
          'The API behind this proxy did not return a price. Nothing was taken.',
        );
      return amount > price.max
        ? refusal(
            502,
            'price_too_high',
            "The API's price is above the seller's ceiling. Nothing was taken.",
          )
        : { ok: true, amount };
    }
  }
}

/** Longest answer of an upstream to the question for a price. */
const MAX_PRICE_BYTES = 10_000;
const PRICES_KEPT = 1_000;

/**
 * Asks the upstream for prices, and keeps the answers as long as their `max-age` says. A buyer who pays within that time pays what
 * it was asked for.
 */
export function priceQuestions(
  upstream: Upstream,
  { limits: { timeoutMs } }: Pick<ProxyConfig, 'limits'>,
  now: () => number,
): (target: string) => Promise<AtomicAmount | undefined> {
  const kept = new Map<string, { readonly until: number; readonly amount: AtomicAmount }>();
  return async (target) => {
    const known = kept.get(target);
    if (known !== undefined && known.until > now()) return known.amount;
    kept.delete(target);
    try {
      const response = await upstream.send({
        method: 'GET',
        target,
        headers: ['Host', upstream.host, 'Accept', 'application/json'],
        body: undefined,
        signal: AbortSignal.timeout(timeoutMs),
      });
      let text = '';
      for await (const piece of response) {
        text += String(piece);
        if (text.length > MAX_PRICE_BYTES) return undefined;
      }
      if (response.statusCode !== 200) return undefined;
      const amount = readAmount(follow(JSON.parse(text), ['price']));
      const [, seconds] =
        /\bmax-age=(\d{1,6})\b/.exec(response.headers['cache-control'] ?? '') ?? [];
      if (amount !== undefined && seconds !== undefined) {
        if (kept.size >= PRICES_KEPT) kept.clear();
        kept.set(target, { until: now() + Number(seconds) * 1_000, amount });
      }
      return amount;
    } catch {
      return undefined;
    }
  };
}
