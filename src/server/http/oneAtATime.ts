import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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
export function oneAtATime(handle: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>();
  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket) ?? new Line(handle, socket);
    lines.set(socket, line);
    line.add(request, response);
  };
}
