import { once } from 'node:events';
import type { Header, McpExchange } from './backend.ts';
import { eventOf } from './eventStream.ts';

/** How often a stream without messages shows that it is alive. */
const ALIVE_MS = 15_000;

/**
 * The answer to one HTTP request of a client: a message, or a stream of events if the server sends anything before its answer.
 */
export class Reply {
  readonly #exchange: McpExchange;
  /** Whether the client takes a stream of events. */
  readonly takesStream: boolean;
  #headers: readonly Header[] = [];
  #alive: NodeJS.Timeout | undefined;

  constructor(exchange: McpExchange) {
    this.#exchange = exchange;
    this.takesStream = /\btext\/event-stream\b|\*\/\*/i.test(exchange.request.headers.accept ?? '');
  }

  /** Whether the client still waits. */
  get isOpen(): boolean {
    return !this.#exchange.response.destroyed && !this.#exchange.response.writableEnded;
  }

  get hasBegun(): boolean {
    return this.#exchange.response.headersSent;
  }

  /** Adds headers to an answer that has not begun. */
  add(headers: readonly Header[]): void {
    this.#headers = [...this.#headers, ...headers];
  }

  /** Begins a stream. @returns whether the client takes one */
  open(): boolean {
    const { response } = this.#exchange;
    if (!this.takesStream || !this.isOpen) return false;
    if (response.headersSent) return true;
    response.writeHead(
      200,
      this.#all([
        ['content-type', 'text/event-stream'],
        ['cache-control', 'no-store'],
        ['x-accel-buffering', 'no'],
      ]),
    );
    response.flushHeaders();
    this.#alive = setInterval(() => response.write(': alive\n\n'), ALIVE_MS);
    response.once('close', () => clearInterval(this.#alive));
    return true;
  }

  /** Sends a message before the answer. A client that takes no stream does not get it. */
  async message(text: string): Promise<void> {
    if (!this.open()) return;
    const { response } = this.#exchange;
    if (response.write(eventOf(text))) return;
    const done = new AbortController();
    const { signal } = done;
    await Promise.race([
      once(response, 'drain', { signal }),
      once(response, 'close', { signal }),
    ]).catch(() => {});
    done.abort();
  }

  /** Sends the answer, and ends. @param status if no stream has begun */
  finish(text: string, status = 200): void {
    if (this.#exchange.response.headersSent) {
      if (this.isOpen) this.#exchange.response.end(eventOf(text));
      this.#stop();
      return;
    }
    this.body(status, 'application/json', Buffer.from(text));
  }

  /** Sends what is not a message. @param type empty without a body */
  body(status: number, type: string, bytes: Buffer): void {
    const { response } = this.#exchange;
    this.#stop();
    if (response.headersSent || !this.isOpen) return void response.end();
    const own: Header[] = [['cache-control', 'no-store']];
    if (type !== '') own.push(['content-type', type]);
    if (status !== 204) own.push(['content-length', String(bytes.length)]);
    response.writeHead(status, this.#all(own));
    response.end(bytes);
  }

  /** Ends without an answer. */
  end(): void {
    this.#stop();
    if (this.isOpen) this.#exchange.response.end();
  }

  #all(own: readonly Header[]): string[] {
    const { origin } = this.#exchange.request.headers;
    const page: Header[] =
      origin === undefined
        ? []
        : [
            ['access-control-allow-origin', origin],
            ['access-control-expose-headers', 'Mcp-Session-Id, MCP-Protocol-Version'],
            ['vary', 'origin'],
          ];
    return [...this.#headers, ...page, ...own].flat();
  }

  #stop(): void {
    clearInterval(this.#alive);
  }
}
