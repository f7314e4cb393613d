import { createHash } from 'node:crypto';
import type { Body, Exchange, PurseRequest, SoldTool } from '../../mcp/pay/purse.ts';
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
  /** Identifies the request among receipts: a hash of method, URL and body. */
  readonly call: string;
}

/** Maximum bytes of a response that are read, since an agent reads them all. */
export const MOST_BODY_BYTES = 64 * 1024;
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
    return askOf(`tool ${tool.name}`, url, JSON.stringify(tool.arguments), sold.headers, sold);
  }
  const given = (method ?? (body === undefined ? 'GET' : 'POST')).toUpperCase();
  if (!METHOD.test(given)) throw wrong('method is a name such as GET or POST');
  if (body !== undefined && (given === 'GET' || given === 'HEAD')) {
    throw wrong(`a ${given} has no body: use another method, or omit the body`);
  }
  const sent = readHeaders(headers ?? {});
  if (body !== undefined && !sent.has('content-type')) sent.set('content-type', typeOf(body));
  return askOf(given, url, body, sent, undefined);
}

function askOf(
  method: string,
  url: URL,
  body: string | undefined,
  headers: Headers,
  tool: SoldTool | undefined,
): Ask {
  const call = createHash('sha256')
    .update(`${method}\n${url}\n${body ?? ''}`)
    .digest('hex');
  return { method, url, headers, body, tool, call };
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

/** Reads the part of a response that an agent sees. Bytes that are not text are counted but not shown. */
export async function readAnswer(response: Response): Promise<Body> {
  const type = (response.headers.get('content-type') ?? '').slice(0, 100);
  const chunks: Uint8Array[] = [];
  let size = 0;
  let cut: Body['cut'] = 'no';
  try {
    for await (const chunk of response.body ?? []) {
      const room = MOST_BODY_BYTES - size;
      chunks.push(chunk.subarray(0, room));
      size += Math.min(chunk.byteLength, room);
      if (chunk.byteLength > room) {
        cut = 'too_long';
        break;
      }
    }
  } catch {
    // The cost is already known, so if the connection breaks, the part that arrived is returned.
    cut = 'broken';
  }
  return { type, bytes: size, text: readText(Buffer.concat(chunks), cut !== 'no'), cut };
}

/** Returns `null` if the bytes are not UTF-8 text. */
function readText(bytes: Uint8Array, cut: boolean): string | null {
  if (bytes.includes(0)) return null;
  try {
    // A character that was cut off in the middle is not malformed.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut });
    return visibleText(text);
  } catch {
    return null;
  }
}
