import {
  MPP_HEADERS,
  privateCaching,
  type SellerProtocol,
  type Served,
  varyOf,
  x402Protocol,
} from '../seller/index.ts';

/** Names and values. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** A handler's response. One that is `whole` is kept, as plain values, and delivered again for an identical request. */
export interface SoldPage extends Served {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** `undefined` if the response is not whole: then the adapter passes it on as it arrives. */
  readonly body: Uint8Array | undefined;
}

/** Types of bodies that do not end by themselves. */
const STREAMS =
  /^(?:text\/event-stream|multipart\/x-mixed-replace|application\/x-ndjson|application\/jsonl)\b/i;

/** Whether a response of this type does not end by itself. */
export function isStream(headers: Headers): boolean {
  return headers.some(
    ([name, value]) => name.toLowerCase() === 'content-type' && STREAMS.test(value),
  );
}

/** Returns an answer of the seller's own in the place of a handler's response. */
export function ownPage(status: number, error: string, message: string): SoldPage {
  return {
    ...{ good: false, whole: true, status },
    headers: [
      ['content-type', 'application/json'],
      ['cache-control', 'no-store'],
    ],
    body: new TextEncoder().encode(JSON.stringify({ error, message })),
  };
}

/** The response headers of every protocol, which pages may read. A handler's own ones never pass. */
const EXPOSED = [x402Protocol, MPP_HEADERS]
  .flatMap(({ responseHeaders }) => responseHeaders)
  .join(', ');

/** Headers with which pages of other sites may read an answer of the seller's own. */
export function readableHeaders(pageOrigin: string | undefined): Headers {
  if (pageOrigin === undefined) return [];
  return [
    ['access-control-allow-origin', '*'],
    ['access-control-expose-headers', EXPOSED],
  ];
}

/**
 * Returns the headers of a paid response: only its buyer may keep it.
 * @param more receipts
 * @param protocols those that the seller speaks
 * @param pageOrigin `Origin` of the request
 */
export function paidHeaders(
  headers: Headers,
  more: Headers,
  protocols: readonly SellerProtocol[],
  pageOrigin: string | undefined,
): Headers {
  const value = (wanted: string): string | undefined => {
    const found = headers.filter(([name]) => name.toLowerCase() === wanted);
    return found.length === 0 ? undefined : found.map(([, text]) => text).join(', ');
  };
  const joined = (name: string, own: string): readonly [string, string] => {
    const theirs = value(name);
    return [name, theirs === undefined ? own : `${theirs}, ${own}`];
  };
  const added: (readonly [string, string])[] = [
    ['cache-control', privateCaching(value('cache-control'))],
    joined('vary', varyOf(protocols)),
    ...more,
  ];
  if (pageOrigin !== undefined) {
    added.push(joined('access-control-expose-headers', EXPOSED));
    if (value('access-control-allow-origin') === undefined) {
      added.push(['access-control-allow-origin', '*']);
    }
  }
  const replaced = new Set(
    [...added.map(([name]) => name), ...EXPOSED.split(', ')].map((name) => name.toLowerCase()),
  );
  return [...headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...added];
}
