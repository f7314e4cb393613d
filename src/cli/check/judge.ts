import type { Answer } from './answer.ts';
import type { Spelling } from './spellings.ts';

/**
 * The meaning of a response.
 * - `paid`: it asks for a payment.
 * - `unknown path`: the app gives the same answer for a path that nothing serves.
 * - `nothing`: HEAD, OPTIONS or a prefetch, answered without a handler.
 * - `refused`: the server or its router answered that it has no such method, or that the path is malformed.
 * - `undecodable`: the app failed at a path that cannot be decoded (Next.js does), so nothing was sold.
 * - `other route`: a free route of the project answered.
 * - `free`: something answered without asking for a payment.
 * - `failed`: the app failed, so the route that was reached is unknown.
 */
export type Verdict =
  | 'paid'
  | 'unknown path'
  | 'nothing'
  | 'refused'
  | 'undecodable'
  | 'other route'
  | 'free'
  | 'failed';

/** A response and its request. */
export interface Asked {
  readonly spelling: Spelling;
  readonly answer: Answer;
}

/**
 * Classifies the response to a request without a payment.
 * @param unknown answers to the same spelling of paths that nothing serves
 * @param others answers of free routes of the project that such a request may reach
 */
export function judge(asked: Asked, unknown: readonly Asked[], others: readonly Answer[]): Verdict {
  const { spelling, answer } = asked;
  if (answer.status === 402) return 'paid';
  if (spelling.method === 'HEAD' && isBare(answer)) return 'nothing';
  if (isPrefetch(answer)) return 'nothing';
  if (spelling.method === 'OPTIONS' && isRoutersOptions(answer)) return 'nothing';
  if (isRefused(answer, spelling)) return 'refused';
  if (unknown.some((each) => each.answer.status !== 402 && sameAnswer(asked, each, unknown))) {
    return 'unknown path';
  }
  if (others.some((other) => alike(other, answer))) return 'other route';
  if (answer.status < 500) return 'free';
  return canBeDecoded(spelling.target) ? 'failed' : 'undecodable';
}

/** Next.js answers `X-Middleware-Prefetch` with an empty object, before it looks for a handler. */
function isPrefetch({ status, headers, body }: Answer): boolean {
  return status === 200 && headers['x-middleware-skip'] === '1' && body === '{}';
}

/**
 * Whether no handler answered a HEAD request: a handler's response would have described a body. Some servers give every response
 * without a body the type `text/plain`, which describes nothing (@hono/node-server 1).
 */
function isBare({ status, headers }: Answer): boolean {
  const type = headers['content-type'];
  const isEmpty = Number(headers['content-length'] ?? 0) === 0;
  return (
    status < 500 &&
    isEmpty &&
    headers['transfer-encoding'] === undefined &&
    (type === undefined || /^text\/plain\b/.test(type))
  );
}

/**
 * Whether a request reached no handler because of its form: 405 and 501 are about the method, status 0 is a connection that was
 * closed without a response, and a server's own 400 has no content and no date. Routers answer a path that cannot be decoded
 * with 400, too, and so does our seller engine at a path that servers read differently, with a code of its own.
 */
function isRefused({ status, body, headers }: Answer, { target }: Spelling): boolean {
  if (status === 405 || status === 501 || status === 0) return true;
  if (status !== 400) return false;
  const isServers = body === '' && headers['date'] === undefined;
  return isServers || !canBeDecoded(target) || isAmbiguous(body);
}

/** Whether a body is the one with which our seller engine refuses a path before anything else. */
function isAmbiguous(body: string): boolean {
  const value = parsed(body);
  return (
    typeof value === 'object' &&
    value !== null &&
    'error' in value &&
    value.error === 'ambiguous_path'
  );
}

function canBeDecoded(target: string): boolean {
  try {
    decodeURIComponent(target);
    return true;
  } catch {
    return false;
  }
}

/** Routers and CORS answer OPTIONS with a list of methods or with nothing. */
function isRoutersOptions({ status, headers, body }: Answer): boolean {
  const lists =
    headers['allow'] !== undefined || headers['access-control-allow-methods'] !== undefined;
  return status < 300 && (lists || body === '');
}

/** Whether two responses differ only in the requested path. */
function sameAnswer(one: Asked, other: Asked, all: readonly Asked[]): boolean {
  if (one.answer.status !== other.answer.status) return false;
  const type = one.answer.headers['content-type'];
  if (type !== other.answer.headers['content-type']) return false;
  // Pages contain the path, build names and the time in many places.
  if (type?.includes('text/html')) return title(one.answer) === title(other.answer);
  const [values, known] = [leaves(one), leaves(other)];
  if (values.size !== known.size) return false;
  return [...values].every(
    ([name, value]) =>
      known.has(name) &&
      // Values that also differ between unknown paths are a time or a request number.
      (known.get(name) === value || (name !== '' && varies(name, all))),
  );
}

function varies(name: string, all: readonly Asked[]): boolean {
  return new Set(all.map((each) => leaves(each).get(name))).size > 1;
}

function title({ body }: Answer): string {
  const [, found = ''] = /<(?:title|pre)[^<>]*>([^<]{0,200})</i.exec(body) ?? [];
  return /^(Cannot|Error)\b/.exec(found)?.[0] ?? found;
}

/** Returns the values of a response by their position, without the requested path. */
function leaves({ answer: { body }, spelling }: Asked): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const put = (name: string, value: unknown): void => {
    if (found.size > 500) return;
    if (typeof value === 'object' && value !== null) {
      found.set(name, '');
      for (const [key, part] of Object.entries(value)) put(`${name}.${key}`, part);
    } else found.set(name, withoutTarget(String(value), spelling.target));
  };
  put('', parsed(body));
  return found;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

function withoutTarget(text: string, target: string): string {
  const [path = ''] = target.split('?');
  const forms = [target, path, path.replace(/^http:\/\/[^/]+/, ''), path.replaceAll(/\/+/g, '/')];
  const known = [...forms, ...forms.map(decoded), ...forms.map((form) => form.replace(/#.*/, ''))];
  return known
    .filter((form) => form.length > 1)
    .sort((a, b) => b.length - a.length)
    .reduce((left, form) => left.replaceAll(form, '…'), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a request got what the same request without its unusual part gets. A response to HEAD has no content. */
export function hadNoEffect({ spelling, answer }: Asked, plain: Answer): boolean {
  if (answer.status === 402 || plain.status === 402) return false;
  return spelling.method === 'HEAD'
    ? plain.status === answer.status && typeOf(plain) === typeOf(answer)
    : alike(plain, answer);
}

function typeOf({ headers }: Answer): string | undefined {
  return headers['content-type']?.split(';')[0];
}

/** Whether two responses seem to come from the same handler: the same status, type and members. */
function alike(one: Answer, other: Answer): boolean {
  return (
    one.status === other.status &&
    one.headers['content-type'] === other.headers['content-type'] &&
    members(one.body) === members(other.body)
  );
}

function members(body: string): string {
  const value = parsed(body);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Array.isArray(value) ? 'list' : Object.keys(value).sort().join();
}
