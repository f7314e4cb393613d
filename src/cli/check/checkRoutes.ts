import { randomBytes } from 'node:crypto';
import type { Route } from '../../codegen/index.ts';
import { type Answer, ask } from './answer.ts';
import { askAround, asksForPayment, type Outcome } from './askAround.ts';
import { concretePath, type SpelledFramework } from './spellings.ts';

/** The routes of a file: paid ones are checked, free ones are requested for comparison. */
export interface CheckedFile {
  readonly path: string;
  readonly paid: readonly Route[];
  readonly others: readonly Route[];
}

/** Maximum number of prefixes under which a free route is looked for. */
const MAX_PREFIXES = 20;

interface Asking {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly prefixes: readonly string[];
  /** Whether to request free routes with methods other than GET too, which runs their handlers. */
  readonly withWrites: boolean;
}

/** A free route that was requested once. */
export interface Neighbour {
  readonly route: Route;
  readonly url: string;
  readonly status: number;
  /** Whether it asks for a payment although nobody sells it. */
  readonly charged: boolean;
}

/** The result for one paid route. */
export interface CheckedRoute {
  readonly file: string;
  readonly route: Route;
  /** The URL at which it was found; `undefined` if nothing asked for a payment. */
  readonly url: string | undefined;
  /** Explains a missing result. */
  readonly problem: string | undefined;
  readonly outcomes: readonly Outcome[];
  readonly neighbours: readonly Neighbour[];
}

/**
 * Whether the endpoint asks for a payment, each spelling of it asks for one or reaches no paid handler, and the free endpoints
 * that were found answer without one.
 */
export function isSound({ problem, outcomes, neighbours }: CheckedRoute): boolean {
  return (
    problem === undefined &&
    asksForPayment(outcomes) &&
    outcomes.every(({ verdict }) => verdict !== 'free' && verdict !== 'failed') &&
    neighbours.every(({ charged, status }) => !charged && status < 500)
  );
}

/** Checks the paid routes of a file in a running app. */
export async function checkFile(
  { path, paid, others }: CheckedFile,
  asking: Asking,
): Promise<readonly CheckedRoute[]> {
  const checked: CheckedRoute[] = [];
  for (const route of paid) checked.push(await checkRoute(path, route, paid, others, asking));
  return checked;
}

async function checkRoute(
  file: string,
  route: Route,
  paid: readonly Route[],
  others: readonly Route[],
  asking: Asking,
): Promise<CheckedRoute> {
  const nothing = { file, route, outcomes: [], neighbours: [] };
  const own = concretePath(route.path);
  if (own === undefined) {
    const problem = `Only the router can interpret ${route.path}. Start the app and check one of its URLs: svc-x402 check http://localhost:3000/…`;
    return { ...nothing, url: undefined, problem };
  }
  const method = route.method === '*' ? 'GET' : route.method;
  const found = await findMount(method, own, withOwnMount(route, asking));
  if (found.prefix === undefined) return { ...nothing, url: undefined, problem: found.problem };
  const { prefix } = found;
  const at = behind(prefix, own);
  const neighbours: Neighbour[] = [];
  const answers: Answer[] = [];
  for (const other of others) {
    const target = concretePath(other.path);
    const verb = other.method === '*' ? 'GET' : other.method;
    if (target === undefined || (verb !== 'GET' && !asking.withWrites)) continue;
    const { url, answer } = await whereItIs(verb, target, prefix, asking);
    if (answer.status !== 402) answers.push(answer);
    neighbours.push({
      route: other,
      url,
      status: answer.status,
      charged: answer.status === 402 && !reachesAnEarlier(other, target, paid),
    });
  }
  const outcomes = await askAround({
    ...asking,
    method,
    framework: spelled(route),
    writes: !asking.withWrites && others.some((other) => writesAt(other, own)),
    url: at,
    others: answers,
    token: `svc${randomBytes(4).toString('hex')}`,
  });
  return { file, route, url: at, problem: undefined, outcomes, neighbours };
}

function spelled({ framework }: Route): SpelledFramework | undefined {
  return framework === 'other' || framework === 'decorators' || framework === 'next-pages'
    ? undefined
    : framework;
}

/** Whether a free route answers POST at a path. */
function writesAt({ method, path }: Route, own: string): boolean {
  return (method === 'POST' || method === '*') && matches(path, own);
}

/** Requests a free route under the paid one's prefix, and under others if nothing answers there. */
async function whereItIs(
  method: string,
  path: string,
  first: string,
  { origin, headers, prefixes }: Asking,
): Promise<{ readonly url: string; readonly answer: Answer }> {
  const url = behind(first, path);
  const answer = await ask(origin, { method, target: url }, headers);
  if (isThere(answer)) return { url, answer };
  for (const prefix of prefixes.slice(0, MAX_PREFIXES)) {
    const other = behind((concretePath(prefix) ?? prefix).replace(/^\/$/, ''), path);
    const found = await ask(origin, { method, target: other }, headers);
    if (isThere(found)) return { url: other, answer: found };
  }
  return { url, answer };
}

/** A 402 under one prefix may come from a paid pattern, and the free route may be under another prefix. */
function isThere({ status }: Answer): boolean {
  return status !== 404 && status !== 402;
}

/** A path behind a prefix. Hono has no route for `/items/` where `/` of an app at `/items` is meant. */
function behind(prefix: string, path: string): string {
  return path === '/' && prefix !== '' ? prefix : prefix + path;
}

/** The mount path found in the code comes first, because a paid route may have the same path under another one. */
function withOwnMount({ path, mounted }: Route, asking: Asking): Asking {
  if (mounted === undefined) return asking;
  const prefix = path === '/' ? mounted : mounted.slice(0, mounted.length - path.length);
  return { ...asking, prefixes: [prefix, ...asking.prefixes] };
}

/** The prefix under which a route asks for a payment. */
async function findMount(
  method: string,
  path: string,
  { origin, headers, prefixes }: Asking,
): Promise<{ readonly prefix: string | undefined; readonly problem: string | undefined }> {
  const seen: string[] = [];
  for (const prefix of prefixes) {
    const target = concretePath(prefix === '' ? '/' : prefix) ?? prefix;
    const front = prefix === '' ? '' : target;
    const at = behind(front, path);
    const { status } = await ask(origin, { method, target: at }, headers);
    if (status === 402) return { prefix: front, problem: undefined };
    seen.push(`${status} ${method} ${at}`);
  }
  const shown = seen.filter((row) => !row.startsWith('404')).slice(0, 5);
  const rows = (shown.length > 0 ? shown : seen.slice(0, 5)).map((row) => `  ${row}`).join('\n');
  const problem = `No request was asked for a payment:\n${rows}\nIf the app serves an older build, build it first. If the route is elsewhere, start the app and check its URL: svc-x402 check http://localhost:3000/…`;
  return { prefix: undefined, problem };
}

/**
 * Whether the router itself sends a path to a paid route: Express and Hono use the first match, so
 * nothing reaches a free route that comes after a paid pattern for its path.
 */
function reachesAnEarlier(other: Route, target: string, paid: readonly Route[]): boolean {
  return paid.some(
    ({ framework, path, method, range }) =>
      (framework === 'express' || framework === 'hono') &&
      range.start < other.range.start &&
      (method === '*' || method === other.method) &&
      matches(path, target),
  );
}

function matches(pattern: string, target: string): boolean {
  const expression = pattern
    .replaceAll(/[\\$()+.?^{|}[\]]/g, '\\$&')
    .replaceAll(/\*\w*/g, '.*')
    .replaceAll(/:[A-Za-z_]\w*/g, '[^/]+');
  return new RegExp(`^${expression}$`, 'i').test(target);
}
