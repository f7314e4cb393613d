import { t } from '../words/index.ts';
import { METHODS, type Pair, type RequestForm } from './requestForm.ts';

/** A request that can be sent. */
export interface BuiltRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Milliseconds that the response may take. */
  readonly timeoutMs?: number;
}

/** Seconds that a response may take if nothing else is typed. */
export const USUAL_TIME_LIMIT = 30;
/** One day: a stream can be watched for long. */
const MAX_TIME_LIMIT = 86_400;

/** Whether a method sends no body: the body of the form stays, and is left out. */
export function leavesOutBody(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** A problem with a field of the form. */
export interface FieldProblem {
  /** `method`, `url`, `body`, or the group and index such as `pathParams.0`. */
  readonly field: string;
  readonly message: string;
}

export type RequestResult =
  | { readonly ok: true; readonly request: BuiltRequest }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers set by the transport or the payment. */
const RESERVED = new Set([
  'content-length',
  'host',
  'payment-authorization',
  'payment-signature',
  'transfer-encoding',
]);

/** Builds a request from the fields of a form, or returns the problems with them. */
export function buildRequest(form: RequestForm): RequestResult {
  const problems: FieldProblem[] = [];
  const method = form.method.toUpperCase();
  if (!METHODS.some((known) => known === method)) {
    problems.push({ field: 'method', message: t('{0} is not an HTTP method.', form.method) });
  }
  const url = urlOf(form, problems);
  const headers = headersOf(form.headers, problems);
  const body = form.body === '' || leavesOutBody(method) ? undefined : form.body;
  const timeoutMs = timeLimitOf(form.timeLimit ?? '', problems);
  const charset = /charset\s*=\s*["']?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1];
  if (body !== undefined && charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    const index = form.headers.findIndex(({ name }) => /^\s*content-type\s*$/i.test(name));
    const message = t('The body is sent as UTF-8, not as {0}.', charset);
    problems.push({ field: `headers.${index}`, message });
  }
  if (body !== undefined && /\bjson\b/i.test(headers['content-type'] ?? '')) {
    const problem = jsonProblem(body);
    if (problem !== undefined) problems.push({ field: 'body', message: problem });
  }
  if (problems.length > 0 || url === undefined) return { ok: false, problems };
  const { 'content-type': type, ...others } = headers;
  const sent =
    body === undefined && leavesOutBody(method)
      ? others
      : {
          ...(body !== undefined && type === undefined ? { 'content-type': typeOf(body) } : {}),
          ...headers,
        };
  return { ok: true, request: { method, url, headers: sent, body, timeoutMs } };
}

function timeLimitOf(typed: string, problems: FieldProblem[]): number {
  const text = typed.trim();
  if (text === '') return USUAL_TIME_LIMIT * 1_000;
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= MAX_TIME_LIMIT)) {
    const message = t('Enter seconds from 1 to {0}.', MAX_TIME_LIMIT);
    problems.push({ field: 'timeLimit', message });
  }
  return seconds * 1_000;
}

function urlOf(form: RequestForm, problems: FieldProblem[]): string | undefined {
  let text = form.url.trim();
  for (const [index, { name, value }] of form.pathParams.entries()) {
    const field = `pathParams.${index}`;
    if (value.trim() === '') {
      problems.push({ field, message: t('Enter a value for {0}.', name) });
      continue;
    }
    if (
      value
        .trim()
        .split(name === '*' ? '/' : '\0')
        .some((part) => /^\.{1,2}$/.test(part))
    ) {
      problems.push({ field, message: t('The value . or .. would change the path.') });
      continue;
    }
    text = withParameter(text, name, value.trim());
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    problems.push({
      field: 'url',
      message: t('Enter the full URL, such as http://localhost:3000/weather.'),
    });
    return undefined;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    problems.push({ field: 'url', message: t('Enter an http or https address.') });
    return undefined;
  }
  const query = form.query.filter(({ name }) => name !== '');
  if (query.length > 0) {
    // What is in the URL stays as it was typed: it can be signed.
    const added = new URLSearchParams();
    for (const { name, value } of query) added.append(name, value);
    url.search = `${url.search === '' ? '' : `${url.search}&`}${added}`;
  }
  url.hash = '';
  return url.href;
}

/** Replaces `:name`, `{name}` or `*` with a value. */
function withParameter(url: string, name: string, value: string): string {
  if (name === '*') {
    // A wildcard matches several segments.
    const path = value.split('/').map(encodeURIComponent).join('/');
    return url.replace(/\/\*(?=\/|$)/, () => `/${path}`);
  }
  const encoded = encodeURIComponent(value);
  return url
    .replace(new RegExp(`/:${name}(?:\\([^)]*\\))?[?+*]?(?=[/.?-]|$)`), () => `/${encoded}`)
    .replace(`{${name}}`, () => encoded);
}

function headersOf(pairs: readonly Pair[], problems: FieldProblem[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [index, { name, value }] of pairs.entries()) {
    const key = name.trim().toLowerCase();
    if (key === '') continue;
    const field = `headers.${index}`;
    if (!TOKEN.test(key))
      problems.push({ field, message: t('{0} is not a valid header name.', name) });
    else if (RESERVED.has(key))
      problems.push({ field, message: t('{0} is set when the request is sent.', key) });
    else if (/[\r\n\0]/.test(value)) {
      problems.push({ field, message: t('The value of {0} must be one line.', key) });
    } else if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      problems.push({ field, message: t('HTTP cannot send the value of {0}: encode it.', key) });
    } else {
      const before = headers[key];
      const joint = key === 'cookie' ? '; ' : ', ';
      headers[key] = before === undefined ? value.trim() : `${before}${joint}${value.trim()}`;
    }
  }
  return headers;
}

/** The media type of a body for which none was chosen. */
function typeOf(body: string): string {
  return jsonProblem(body) === undefined ? 'application/json' : 'text/plain; charset=utf-8';
}

function jsonProblem(body: string): string | undefined {
  try {
    JSON.parse(body);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return t('The body is not JSON: {0}.', reason);
  }
}
