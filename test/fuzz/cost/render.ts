import { testKey } from '../../support/payer.ts';
import type { Json } from './json.ts';
import { envelopeOf } from './payments.ts';
import type { Route } from './route.ts';

/** An input, ready to send. */
export type Rendered =
  | {
      readonly kind: 'http';
      readonly method: 'GET' | 'POST';
      readonly path: string;
      readonly type: string | undefined;
      readonly body: string;
    }
  | {
      readonly kind: 'tool';
      readonly tool: string;
      readonly input: unknown;
      readonly size: number;
    };

/** What inputs may name that is another thing each time. */
export interface Salted {
  /** Makes two renderings of one input differ, so that nothing is remembered of the first. */
  readonly salt: number;
  readonly seller: string;
  readonly latestLedger: number;
}

/** Nodes have at most 16 KiB of headers. */
const MAX_URL = 15_000;
const DEEP = /"§deep:(\d{1,5})"/g;

/** `§` in a text is the salt; `{ "§payment": genes }` is an envelope; `{ "§account": … }` is an account
 * that does not exist yet; `§deep:n` is that many levels of arrays. */
function textOf(input: Json, { salt, seller, latestLedger }: Salted, mostLevels: number): string {
  const text = JSON.stringify(input, (_key, value: Json) => {
    if (typeof value === 'string' && !value.startsWith('§deep:')) {
      return value.replaceAll('§', `${salt}`);
    }
    if (typeof value === 'object' && value !== null && '§payment' in value) {
      return envelopeOf(value['§payment'] ?? null, salt, seller, latestLedger);
    }
    if (typeof value === 'object' && value !== null && '§account' in value) {
      return testKey(`fresh ${salt}`).address;
    }
    return value;
  });
  return text.replace(DEEP, (_all, levels: string) => {
    const depth = Math.min(Number(levels), mostLevels);
    return '['.repeat(depth) + ']'.repeat(depth);
  });
}

/** A part of a path or a query out of whatever the input has there. */
function word(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function encoded(value: Json): string {
  // A lone surrogate has no encoding: it goes as a replacement character.
  return encodeURIComponent(Buffer.from(word(value)).toString());
}

function pairs(value: Json): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return encoded(value);
  return Object.entries(value)
    .flatMap(([name, inner]) =>
      (Array.isArray(inner) ? inner : [inner]).map((one) => `${encoded(name)}=${encoded(one)}`),
    )
    .join('&');
}

function list(value: Json): Json[] {
  return Array.isArray(value) ? value : [value];
}

/** @returns `undefined` if the input cannot be sent, or is larger than the route is tried with */
export function rendered(route: Route, input: Json, salted: Salted): Rendered | undefined {
  const { sending, maxBytes } = route;
  const text = textOf(input, salted, sending.as === 'json' ? 10_000 : 100);
  if (text.length > 4 * maxBytes || Buffer.byteLength(text) > maxBytes) return undefined;
  switch (sending.as) {
    case 'json':
      return {
        kind: 'http',
        method: 'POST',
        path: sending.path,
        type: 'application/json',
        body: text,
      };
    case 'tool': {
      const given: unknown = JSON.parse(text);
      return { kind: 'tool', tool: sending.tool, input: given, size: text.length };
    }
    case 'query':
    case 'form': {
      const parts = JSON.parse(text) as Json;
      if (typeof parts !== 'object' || parts === null || Array.isArray(parts)) return undefined;
      const path = `/${list(parts['path'] ?? [])
        .map(encoded)
        .join('/')}`;
      const query = pairs(parts['query'] ?? {});
      const url = query === '' ? path : `${path}?${query}`;
      if (url.length > MAX_URL) return undefined;
      if (sending.as === 'query') {
        return { kind: 'http', method: 'GET', path: url, type: undefined, body: '' };
      }
      const body = pairs(parts['form'] ?? {});
      if (body.length > maxBytes) return undefined;
      const type = 'application/x-www-form-urlencoded';
      return { kind: 'http', method: 'POST', path: url, type, body };
    }
  }
}
