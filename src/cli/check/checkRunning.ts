import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readConfig } from '../../proxy/index.ts';
import { CliError } from '../cliError.ts';
import { describeProblems, withOpenApi } from '../openApiDocument.ts';
import { DEFAULT_PROXY_PORT } from '../optionValues.ts';
import type { Report } from '../report.ts';
import { type Answer, ask } from './answer.ts';
import { askAround, asksForPayment, type Outcome } from './askAround.ts';
import { type CheckOptions, parsedHeaders } from './checkEndpoints.ts';
import { showUrl } from './showChecked.ts';

/** An endpoint by its method and one of its paths. */
interface Endpoint {
  readonly method: string;
  readonly path: string;
}

/** What a running seller should do: ask for payments here, and nowhere else. */
interface Sold {
  readonly sold: readonly Endpoint[];
  readonly free: readonly Endpoint[];
}

/** The value of each parameter of a path. */
const ANY = '1';
/** A longer document is not read. */
const MAX_DOCUMENT = 4 << 20;
const WITHIN_MS = 10_000;

/**
 * Checks one URL of a running app, wherever its code is. For the address alone, where nothing is sold at `/`, it checks what the
 * app's own `/openapi.json` says is sold.
 * @throws CliError if an endpoint can be reached without paying
 */
export async function checkUrl(
  url: string,
  method: string,
  options: CheckOptions,
  report: Report,
): Promise<void> {
  const { origin, pathname, search } = new URL(url);
  if (!origin.startsWith('http:')) {
    throw new CliError('usage', 'Use the http:// URL of an app on this machine.');
  }
  if (pathname === '/' && search === '') {
    const listed = await listedEndpoints(origin);
    if (listed.length > 0) return checkAll(origin, { sold: listed, free: [] }, options, report);
  }
  const outcomes = await askAround({
    origin,
    method,
    framework: undefined,
    writes: !(options.withWrites ?? false),
    url: pathname + search,
    headers: parsedHeaders(options.header ?? []),
    others: [],
    token: 'svcx402unknown',
  });
  showUrl(url, outcomes, report);
  if (!asksForPayment(outcomes)) {
    const [first] = outcomes;
    const how =
      first?.status === 405 || first?.status === 404
        ? ' Check the path, and name its method with --method.'
        : '';
    throw new CliError(
      'failed',
      `No payment was asked for: ${method} ${url} was answered with status ${first?.status}.${how}`,
    );
  }
  const free = outcomes.filter(({ verdict }) => verdict === 'free' || verdict === 'failed');
  if (free.length > 0) throw new CliError('failed', 'The endpoint did not pass the check.');
}

/**
 * Checks a running proxy against its configuration: each sold route in every spelling, each free route, and what is in neither.
 * @throws CliError if the file is wrong, a sold route can be reached without paying, or another one asks for a payment
 */
export async function checkConfig(
  path: string,
  options: CheckOptions,
  report: Report,
): Promise<void> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new CliError('usage', `${path} cannot be read. Name the file that the proxy reads.`, {
      cause,
    });
  });
  const read = readConfig(text);
  if (!read.ok) throw new CliError('usage', describeProblems(path, read.problems));
  const { config } = await withOpenApi(read.config, path, { price: undefined, settle: 'after' });
  if (config.mcp !== undefined) {
    throw new CliError(
      'usage',
      'Tools of MCP servers are not checked. Name a file that sells an API.',
    );
  }
  const endpoints = config.routes.map(({ method, pattern, about }) => ({
    isSold: about !== undefined,
    method: method === '*' ? 'GET' : method,
    path: `/${pattern.map((part) => (part.kind === 'fixed' ? part.text : ANY)).join('/')}`,
  }));
  const other: Endpoint = { method: 'GET', path: `/svc${randomBytes(4).toString('hex')}` };
  const isOtherSold = typeof config.otherwise === 'object';
  const origin = new URL(options.url ?? `http://127.0.0.1:${DEFAULT_PROXY_PORT}`).origin;
  await checkAll(
    origin,
    {
      sold: [...endpoints.filter(({ isSold }) => isSold), ...(isOtherSold ? [other] : [])],
      free: [...endpoints.filter(({ isSold }) => !isSold), ...(isOtherSold ? [] : [other])],
    },
    options,
    report,
  );
}

/**
 * Returns the endpoints that a seller's own `/openapi.json` says are sold (`x-payment-info`); none if it has no such document.
 * @param origin such as `http://127.0.0.1:4402`
 */
export async function listedEndpoints(origin: string): Promise<readonly Endpoint[]> {
  const text = await fetch(`${origin}/openapi.json`, {
    redirect: 'error',
    signal: AbortSignal.timeout(WITHIN_MS),
  })
    .then(async (response) => (response.ok ? response.text() : ''))
    .catch(() => '');
  if (text.length > MAX_DOCUMENT) return [];
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return [];
  }
  return [...members(members(document).get('paths'))].flatMap(([path, item]) =>
    [...members(item)]
      .filter(([, operation]) => members(operation).has('x-payment-info'))
      .map(([method]) => ({
        method: method.toUpperCase(),
        path: path.replaceAll(/\{[^{}/]*\}/g, ANY),
      })),
  );
}

function members(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/**
 * Requests sold endpoints in every spelling and free ones once, and shows what was seen.
 * @throws CliError if one did not pass
 */
export async function checkAll(
  origin: string,
  { sold, free }: Sold,
  options: CheckOptions,
  report: Report,
): Promise<void> {
  if (sold.length === 0) throw new CliError('failed', 'Nothing is sold, so nothing was checked.');
  const headers = parsedHeaders(options.header ?? []);
  const token = `svc${randomBytes(4).toString('hex')}`;
  const others: Answer[] = [];
  const charged: string[] = [];
  for (const { method, path } of free) {
    if (method !== 'GET' && !(options.withWrites ?? false)) continue;
    const answer = await ask(origin, { method, target: path }, headers);
    if (answer.status === 402) charged.push(`${method} ${path}`);
    else if (answer.status < 400) others.push(answer);
  }
  let wrong = 0;
  for (const { method, path } of sold) {
    const outcomes: readonly Outcome[] = await askAround({
      ...{ origin, method, url: path, headers, others, token },
      framework: undefined,
      writes: !(options.withWrites ?? false),
    });
    showUrl(`${method} ${origin}${path}`, outcomes, report);
    const passed = outcomes.every(({ verdict }) => verdict !== 'free' && verdict !== 'failed');
    if (!passed || !asksForPayment(outcomes)) wrong += 1;
  }
  for (const name of charged) {
    report.say(`${name}: CHARGED: it asks for a payment but is not sold`, 'charged', { name });
  }
  const all = wrong + charged.length;
  if (all === 0) return;
  throw new CliError(
    'failed',
    all === 1 ? '1 endpoint did not pass the check.' : `${all} endpoints did not pass the check.`,
  );
}
