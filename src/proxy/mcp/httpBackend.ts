import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ProxyLimits } from '../config/config.ts';
import { upstreamHeaders } from '../headers.ts';
import { headersOf, pairs } from '../page.ts';
import type { Upstream } from '../upstream.ts';
import {
  answerTo,
  type Forwarded,
  failure,
  type Header,
  MAX_ERROR_BYTES,
  type McpBackend,
  type McpExchange,
  type Sending,
  sessionOf,
  withoutMessages,
} from './backend.ts';
import { eventsIn } from './eventStream.ts';
import {
  type ClientRequest,
  messageText,
  type RequestId,
  readServerMessage,
  type ServerMessage,
} from './message.ts';
import { elementsOf } from './rawJson.ts';

/**
 * Headers of clients that do not go to the server: the proxy writes them itself, or they would let a client fetch the answer to a
 * sold call by another way. The stream of a call cannot be resumed for that reason.
 */
const DROPPED: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'content-type', 'content-encoding', 'last-event-id'],
  ...['mcp-method', 'mcp-name'],
]);

/** Headers of the server that clients get. */
const PASSED: ReadonlySet<string> = new Set([
  ...['mcp-session-id', 'mcp-protocol-version', 'www-authenticate', 'retry-after', 'set-cookie'],
  ...['location', 'allow'],
]);

/** Why a request ends that its client cancelled. */
const CANCELLED = 'cancelled';

/** A server over Streamable HTTP. */
export function httpBackend(upstream: Upstream, url: URL, limits: ProxyLimits): McpBackend {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  /** Free requests without an answer, by session and the client's id; `id` is the one that the server knows. */
  const free = new Map<string, { readonly id: string; readonly ending: AbortController }>();
  const streams = new Set<() => void>();
  const end = url.pathname.endsWith('/') ? '/' : '';

  function headersFor({ request, origin }: McpExchange, own: readonly Header[]): string[] {
    const passed = pairs(request.rawHeaders).filter(
      ([name]) => !DROPPED.has(name.toLowerCase().replaceAll('_', '-')),
    );
    return upstreamHeaders(passed.flat(), origin, upstream.host, [
      ['Accept', 'application/json, text/event-stream'],
      ['Accept-Encoding', 'identity'],
      ...own,
    ]);
  }

  async function ask(
    exchange: McpExchange,
    method: string,
    text: string | undefined,
    { headers, signal }: Sending,
  ): Promise<IncomingMessage | Error> {
    const body = text === undefined ? undefined : Buffer.from(text);
    const own: Header[] = [...headers];
    if (body !== undefined) {
      own.push(['Content-Type', 'application/json'], ['Content-Length', String(body.length)]);
    }
    try {
      return await upstream.send({
        method,
        target: `${end}${exchange.target.query}`,
        headers: headersFor(exchange, own),
        body: body === undefined ? undefined : () => Readable.from([body]),
        signal,
      });
    } catch (error) {
      return error instanceof Error ? error : new Error('no answer');
    }
  }

  async function forwarded(
    response: IncomingMessage | Error,
    pick: (message: ServerMessage) => ServerMessage | undefined,
  ): Promise<Forwarded> {
    if (response instanceof Error) {
      return failure(
        502,
        'upstream_unreachable',
        'The MCP server behind this proxy did not answer.',
      );
    }
    const headers = pairs(response.rawHeaders).filter(([name]) => PASSED.has(name.toLowerCase()));
    const status = response.statusCode ?? 502;
    const type = headersOf(response.rawHeaders).get('content-type') ?? '';
    const isStream = /^text\/event-stream\b/i.test(type);
    if (isStream && status < 300) {
      return {
        ...{ status, headers, body: undefined, isCancelled: () => false },
        messages: picked(eventsIn(response, limits.maxResponseBytes), pick),
        destroy: () => response.destroy(),
      };
    }
    const isMessage = /^application\/json\b/i.test(type);
    const limit = status < 300 ? limits.maxResponseBytes : MAX_ERROR_BYTES;
    const bytes = await readBody(response, limit);
    if (bytes === undefined) {
      return failure(
        502,
        'upstream_broke_off',
        'The answer of the MCP server broke off, or is too long.',
      );
    }
    const texts = isMessage ? textsIn(bytes) : [];
    const messages = texts.flatMap((text) => {
      const read = readServerMessage(text);
      return (read && pick(read)) ?? [];
    });
    if (messages.length > 0)
      return { ...withoutMessages(status, headers), messages: each(messages) };
    if (status < 300 && bytes.length > 0) {
      return failure(502, 'upstream_unreadable', 'The MCP server did not answer with a message.');
    }
    return withoutMessages(status, headers, bytes.length === 0 ? undefined : { type, bytes });
  }

  const keyOf = (exchange: McpExchange, id: RequestId): string =>
    `${sessionOf(exchange)}\n${JSON.stringify(id)}`;

  return {
    async request(exchange, request, sending) {
      count += 1;
      const id = `${prefix}-${count}`;
      const key = keyOf(exchange, request.id);
      const isFree = !sending.isSold;
      const ending = new AbortController();
      const { signal } = ending;
      if (isFree) free.set(key, { id, ending });
      sending.signal.addEventListener('abort', () => ending.abort(), { once: true });
      if (sending.signal.aborted) ending.abort();
      const headers = [...routing(exchange, request), ...sending.headers];
      const text = messageText(request.method, request.params, id);
      const response = await ask(exchange, 'POST', text, { ...sending, headers, signal });
      const isCancelled = (): boolean => signal.reason === CANCELLED;
      // A free stream may be silent for long; a sold call may not.
      if (isFree && !(response instanceof Error)) response.setTimeout(0);
      const answer = await forwarded(response, (message) => answerTo(message, id, request.id));
      const done = (): void => {
        if (free.get(key)?.id === id) free.delete(key);
      };
      if (isCancelled()) {
        done();
        return { ...withoutMessages(200), isCancelled };
      }
      return { ...answer, messages: finallyDo(answer.messages, done), isCancelled };
    },
    async send(exchange, message) {
      let text = message.kind === 'answer' ? message.text : '';
      if (message.kind === 'notification') {
        const { method, params } = message;
        const cancelled = params?.get('requestId');
        if (method === 'notifications/cancelled' && params && cancelled !== undefined) {
          // Sold calls run to their end; and without a session, ids of clients are not told apart.
          const found =
            sessionOf(exchange) === '' ? undefined : free.get(keyOf(exchange, idIn(cancelled)));
          if (found === undefined) return withoutMessages(202);
          text = messageText(method, new Map(params).set('requestId', JSON.stringify(found.id)));
          const { ending } = found;
          const signal = AbortSignal.timeout(limits.timeoutMs);
          const sent = await ask(exchange, 'POST', text, { headers: [], isSold: false, signal });
          // Servers do not answer a cancelled request (MCP, "Cancellation"), and the client's HTTP request would stay open.
          ending.abort(CANCELLED);
          return forwarded(sent, () => undefined);
        } else text = messageText(method, params);
      }
      const signal = AbortSignal.timeout(limits.timeoutMs);
      return forwarded(
        await ask(exchange, 'POST', text, { headers: [], isSold: false, signal }),
        () => undefined,
      );
    },
    async listen(exchange, signal) {
      const ending = new AbortController();
      const stop = (): void => ending.abort();
      streams.add(stop);
      signal.addEventListener('abort', stop, { once: true });
      ending.signal.addEventListener('abort', () => streams.delete(stop), { once: true });
      const response = await ask(exchange, 'GET', undefined, {
        ...{ headers: [], isSold: false },
        signal: ending.signal,
      });
      if (!(response instanceof Error)) response.setTimeout(0);
      // Answers belong to the requests that they answer, wherever a server sends them.
      return forwarded(response, (message) => (message.kind === 'answer' ? undefined : message));
    },
    async end(exchange) {
      const signal = AbortSignal.timeout(limits.timeoutMs);
      const response = await ask(exchange, 'DELETE', undefined, {
        headers: [],
        isSold: false,
        signal,
      });
      return forwarded(response, () => undefined);
    },
    async problem() {
      try {
        const response = await upstream.send({
          method: 'HEAD',
          target: end,
          headers: ['Host', upstream.host],
          body: undefined,
          signal: AbortSignal.timeout(5_000),
        });
        response.resume();
        return undefined;
      } catch {
        return 'The MCP server behind this proxy does not answer.';
      }
    },
    endStreams() {
      for (const stop of streams) stop();
    },
    async close() {},
  };
}

function idIn(text: string): RequestId {
  const id: unknown = JSON.parse(text);
  return typeof id === 'number' ? id : String(id);
}

/** The headers by which gateways route; clients send them from revision 2026-07-28 on. */
function routing({ request }: McpExchange, { method, params }: ClientRequest): readonly Header[] {
  if (request.headers['mcp-method'] === undefined) return [];
  const named = params?.get('name') ?? params?.get('uri');
  const name: unknown = named === undefined ? undefined : JSON.parse(named);
  const isNamed = request.headers['mcp-name'] !== undefined && typeof name === 'string';
  return [
    ['Mcp-Method', headerText(method)],
    ...(isNamed ? [['Mcp-Name', headerText(name)] as const] : []),
  ];
}

/** Writes a text as the value of a header, as revision 2026-07-28 does. */
export function headerText(text: string): string {
  const isPlain =
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

function textsIn(bytes: Buffer): readonly string[] {
  const text = bytes.toString('utf8').trim();
  try {
    JSON.parse(text);
  } catch {
    return [];
  }
  return elementsOf(text) ?? [text];
}

async function readBody(response: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of response) {
      length += (piece as Buffer).length;
      if (length > limit) return undefined;
      pieces.push(piece as Buffer);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(pieces);
}

async function* each(messages: readonly ServerMessage[]): AsyncGenerator<ServerMessage> {
  yield* messages;
}

/** Reads messages until the answer, or the end of the stream. */
async function* picked(
  texts: AsyncIterable<string>,
  pick: (message: ServerMessage) => ServerMessage | undefined,
): AsyncGenerator<ServerMessage> {
  for await (const text of texts) {
    const read = readServerMessage(text);
    const message = read && pick(read);
    if (message === undefined) continue;
    yield message;
    if (message.kind === 'answer') return;
  }
}

async function* finallyDo(
  messages: AsyncIterable<ServerMessage>,
  done: () => void,
): AsyncGenerator<ServerMessage> {
  try {
    yield* messages;
  } finally {
    done();
  }
}
