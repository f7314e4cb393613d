import { createHash } from 'node:crypto';
import type { Exchange, PurseRequest, SoldTool } from '../../mcp/pay/purse.ts';
import { visibleText } from '../../protocol/index.ts';
import { Refusal } from './refusal.ts';

/** A request in the form in which it is sent, except for the payment. */
export interface Ask {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | undefined;
  /** A tool to call at this URL. */
  readonly tool: SoldTool | undefined;
  /** Identifies the request among receipts: a hash of method, URL, body and the headers that the agent gave. */
  readonly call: string;
  /** The same as version 0.4 computed it, without headers. */
  readonly callWithoutHeaders: string;
}

/** The same timeout as for `svc-x402 pay`. */
const ANSWER_WITHIN_MS = 60_000;
/** Headers that carry payments, and headers that the connection sets by itself. */
const OWN_HEADERS =
  /^(?:payment-.*|x-payment.*|host|connection|content-length|transfer-encoding)$/i;
const METHOD = /^[A-Za-z]{1,20}$/;

/** Reads an agent's request. @throws Refusal */
export function readRequest(request: PurseRequest): Ask {
  const { tool, method, body, headers } = request;
  const url = parseUrl(request.url);
  if (tool !== undefined) {
    if (method !== undefined || body !== undefined) {
      throw wrong('a tool is called with arguments: omit method and body');
    }
    const sold = { url, ...tool, headers: readHeaders(headers ?? {}) };
    const named = `tool ${tool.name}`;
    const given = JSON.stringify(tool.arguments);
    return {
      ...{ method: named, url, headers: sold.headers, body: given, tool: sold },
      call: callOf(named, url, sortedJson(tool.arguments), sold.headers),
      callWithoutHeaders: callOf(named, url, given),
    };
  }
  const given = (method ?? (body === undefined ? 'GET' : 'POST')).toUpperCase();
  if (!METHOD.test(given)) throw wrong('method is a name such as GET or POST');
  if (body !== undefined && (given === 'GET' || given === 'HEAD')) {
    throw wrong(`a ${given} has no body: use another method, or omit the body`);
  }
  const sent = readHeaders(headers ?? {});
  const call = callOf(given, url, body, sent);
  if (body !== undefined && !sent.has('content-type')) sent.set('content-type', typeOf(body));
  return {
    ...{ method: given, url, headers: sent, body, tool: undefined, call },
    callWithoutHeaders: callOf(given, url, body),
  };
}

function callOf(method: string, url: URL, body: string | undefined, headers?: Headers): string {
  const given = headers === undefined ? [] : [...headers];
  return createHash('sha256')
    .update(`${method}\n${url}\n${body ?? ''}`)
    .update(given.map(([name, value]) => `\n${name}: ${value}`).join(''))
    .digest('hex');
}

/** JSON whose members are in one order, however the caller ordered them. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function parseUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw wrong('url is not a URL');
  }
  if (!/^https?:$/.test(url.protocol)) throw wrong('url must start with http:// or https://');
  if (url.username !== '' || url.password !== '')
    throw wrong('url contains a user name: use a header instead');
  url.hash = '';
  return url;
}

function readHeaders(given: Readonly<Record<string, string>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (OWN_HEADERS.test(name))
      throw wrong(`the header ${visibleText(name)} cannot be set by a caller`);
    try {
      headers.set(name, value);
    } catch {
      throw wrong(`the header ${JSON.stringify(visibleText(name).slice(0, 100))} is malformed`);
    }
  }
  return headers;
}

function typeOf(body: string): string {
  try {
    JSON.parse(body);
    return 'application/json';
  } catch {
    return 'text/plain; charset=utf-8';
  }
}

/** Connects to the seller of a tool, and loads what MCP needs. */
export type OpenTool = (tool: SoldTool) => Promise<Exchange>;

/** Connects to the seller of a call: over HTTP, or over MCP for a tool. */
export async function openExchange(ask: Ask, openTool: OpenTool): Promise<Exchange> {
  if (ask.tool !== undefined) return openTool(ask.tool);
  return { send: (payment, signal) => send(ask, payment, signal), close: async () => {} };
}

function wrong(words: string): Refusal {
  return new Refusal('invalid_request', `${words}.`);
}

/**
 * Sends a request once, without following redirects.
 * @param signal cancels it; absent if the request carries a payment, since money may move
 */
async function send(
  { method, url, headers, body }: Ask,
  payment: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(payment)) all.set(name, value);
  const limit = AbortSignal.timeout(ANSWER_WITHIN_MS);
  return fetch(url, {
    method,
    headers: all,
    redirect: 'manual',
    signal: signal === undefined ? limit : either(signal, limit),
    ...(body === undefined ? {} : { body }),
  });
}

/** `AbortSignal.any` is younger than Node 18. */
function either(first: AbortSignal, second: AbortSignal): AbortSignal {
  const controller = new AbortController();
  for (const signal of [first, second]) {
    const abort = () => controller.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  return controller.signal;
}
