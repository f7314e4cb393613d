import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import { ERROR_TABLE, type ErrorCode } from '../../protocol/index.ts';
import type { FacilitatorConfig } from '../config.ts';
import { errorBody } from './errorBodies.ts';

/** Maximum number of requests of one connection that wait for the answer to an earlier one. */
export const MAX_REQUESTS_AHEAD = 32;

/** The requests of one connection: one is handled, later ones wait in order of arrival. */
class Line {
  readonly #handle: RequestListener;
  readonly #socket: Socket;
  readonly #waiting: (readonly [IncomingMessage, ServerResponse])[] = [];
  #isBusy = false;
  /** Whether requests were dropped, so that the connection must end after the last answer. */
  #hasDropped = false;

  constructor(handle: RequestListener, socket: Socket) {
    this.#handle = handle;
    this.#socket = socket;
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    if (this.#hasDropped || this.#isEnding) return;
    if (!this.#isBusy) this.#start(request, response);
    else if (this.#waiting.length < MAX_REQUESTS_AHEAD) this.#waiting.push([request, response]);
    else {
      this.#hasDropped = true;
      // Nothing after this is answered, so reading it would be work for nothing.
      this.#socket.pause();
    }
  }

  get #isEnding(): boolean {
    return this.#socket.destroyed || this.#socket.writableEnded;
  }

  #start(request: IncomingMessage, response: ServerResponse): void {
    this.#isBusy = true;
    if (this.#hasDropped && this.#waiting.length === 0) response.shouldKeepAlive = false;
    response.once('close', () => this.#next());
    this.#handle(request, response);
  }

  #next(): void {
    this.#isBusy = false;
    if (this.#isEnding) {
      this.#waiting.length = 0;
      return;
    }
    const next = this.#waiting.shift();
    if (next !== undefined) this.#start(...next);
    else if (this.#hasDropped) this.#socket.destroySoon();
  }
}

/**
 * Handles the requests of a connection one after another. Without this, everything that a client sends ahead is handled
 * before its first answer, so that closing the connection saves nothing. Requests that wait when a connection ends are
 * dropped. A connection with more than `MAX_REQUESTS_AHEAD` waiting requests ends after their answers: clients must send
 * what was not answered again (RFC 9112, section 9.3.2).
 */
function oneAtATime(handle: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? new Line(handle, socket);
    lines.set(socket, line);
    line.add(request, response);
  };
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  /**
   * Accepts no new connections, waits for `answered`, and closes the remaining ones. Resolves when
   * the last one is closed.
   */
  close(answered: Promise<void>): Promise<void>;
}

/**
 * How long an idle connection stays open. If a client sends a request just as the connection is closed, it
 * gets no response, and a `/settle` must not be lost that way: with Node's five seconds, this happens
 * between the payments of one seller.
 */
const KEEP_ALIVE_MS = 75_000;

/** Time for the last responses to be sent before connections are cut. */
const LAST_BYTES_MS = 50;

/** Time for the headers of a request to arrive, and for all of it. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 15_000;
/** How often connections are checked for that. */
const CHECK_MS = 1_000;

/** Node's codes for malformed requests. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

const PHRASES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Responds to bytes that are not a valid request, in JSON like everything else, and ends the connection. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const code = CODES[error.code ?? ''] ?? 'invalid_http';
  const { status } = ERROR_TABLE[code];
  const body = JSON.stringify(errorBody('other', { code }));
  socket.end(
    `HTTP/1.1 ${status} ${PHRASES[status]}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** The only routes that are served without a Host, for the plain checks of load balancers. */
const PROBED: ReadonlySet<string> = new Set(['/health', '/ready']);

/**
 * HTTP/1.0 has no Host header (RFC 9112, section 3.2, requires it from 1.1 on), and the plain check of HAProxy sends none. The
 * name that a probe lacks is the address that it reached.
 */
function withHost(handle: RequestListener): RequestListener {
  return (request, response) => {
    const { httpVersion, headers, url, socket } = request;
    const isProbe = PROBED.has(url?.split('?', 1)[0] ?? '');
    if (httpVersion === '1.0' && headers.host === undefined && isProbe) {
      const address = socket.localAddress ?? '127.0.0.1';
      const host = `${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`;
      headers.host = host;
      request.rawHeaders.push('Host', host);
    }
    handle(request, response);
  };
}

/**
 * Answers requests without a valid URL, such as one with a malformed Host, and failures that the app itself could not
 * answer.
 */
function answerWithoutApp(error: unknown): Response {
  const code = error instanceof RequestError ? 'invalid_http' : 'internal_error';
  return Response.json(errorBody('other', { code }), { status: ERROR_TABLE[code].status });
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * Serves the app. If the port is in use, this fails, or with `busyPort: 'move'` chooses a free port and
 * returns it in the result.
 */
export async function listen(
  { fetch }: { readonly fetch: Parameters<typeof getRequestListener>[0] },
  { host, port, busyPort }: Pick<FacilitatorConfig, 'host' | 'port' | 'busyPort'>,
): Promise<Listening> {
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: CHECK_MS,
      noDelay: true,
    },
    oneAtATime(withHost(getRequestListener(fetch, { errorHandler: answerWithoutApp }))),
  );
  server.on('clientError', answerBrokenRequest);
  try {
    await bind(server, host, port);
  } catch (error) {
    const busy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!busy || busyPort !== 'move') throw error;
    await bind(server, host, 0);
  }
  const address = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${address.port}`,
    port: address.port,
    async close(answered) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await answered;
      // The last responses are written to the sockets in this turn; connections that clients
      // keep open after them may be closed.
      setTimeout(() => server.closeAllConnections(), LAST_BYTES_MS);
      await closed;
    },
  };
}
