import { bytesWritten, headersWritten } from '../../protocol/index.ts';
import type { SellerLimits } from '../options.ts';
import { type Headers, isStream, ownPage, type SoldPage } from '../soldPage.ts';
import { joined } from '../web/webBody.ts';

type Method = (...args: unknown[]) => unknown;

/** The methods of a response that are replaced while it is held. */
type Replaced = 'writeHead' | 'write' | 'end' | 'flushHeaders' | 'destroy';

/** The part of a response of `node:http` that is used. */
export interface NodeResponse {
  statusCode: number;
  readonly destroyed: boolean;
  getHeaders(): Readonly<Record<string, unknown>>;
  setHeader(name: string, value: string | readonly string[]): unknown;
  removeHeader(name: string): void;
  flushHeaders(): void;
  on(event: string, listener: (...values: never[]) => void): unknown;
  emit(event: string): boolean;
  writeHead: (...args: never[]) => unknown;
  write: (...args: never[]) => unknown;
  end: (...args: never[]) => unknown;
  destroy: (...args: never[]) => unknown;
}

/** Headers that belong to the connection: Node writes them again. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
]);

/** Removes whatever headers are set, and sets these. */
function setHead(response: NodeResponse, status: number, headers: Headers): void {
  for (const name of Object.keys(response.getHeaders())) response.removeHeader(name);
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (OF_CONNECTION.has(key)) continue;
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  for (const [name, all] of values) {
    const [first = ''] = all;
    response.setHeader(name, all.length === 1 ? first : all);
  }
  response.statusCode = status;
}

/** What is sent at once. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | Uint8Array;
}

/** Sends a whole response. */
export function sendWhole(response: NodeResponse, { status, headers, body }: WholeAnswer): void {
  setHead(response, status, headers);
  (response.end as Method).call(response, body);
}

function callbackIn(args: readonly unknown[]): (() => void) | undefined {
  const last = args.at(-1);
  return typeof last === 'function' ? () => (last as Method)() : undefined;
}

/**
 * Holds what a handler writes to a response of Node, until its payment has settled. What is whole within the bounds is kept;
 * anything else is a stream, which begins once it is paid. Until `deliver`, no byte and no header reaches the client.
 */
export class HeldResponse {
  /** What the handler answered, as far as the sale depends on it; never rejects. */
  readonly page: Promise<SoldPage>;
  readonly #response: NodeResponse;
  readonly #limits: SellerLimits;
  readonly #isSettled: boolean;
  readonly #original: Readonly<Record<Replaced, Method>>;
  #resolve: (page: SoldPage) => void = () => {};
  #state: 'held' | 'passing' | 'dropped' = 'held';
  #head: { readonly status: number; readonly headers: Headers } | undefined;
  #pieces: Uint8Array[] = [];
  #length = 0;
  #ended = false;
  #decided = false;
  #isBroken = false;
  /** Node writes the head through the response's own methods. */
  #isSending = false;
  #timer: ReturnType<typeof setTimeout>;

  /** @param isSettled whether the money is taken already, so that nothing has to be kept */
  constructor(response: NodeResponse, limits: SellerLimits, isSettled: boolean) {
    this.#response = response;
    this.#limits = limits;
    this.#isSettled = isSettled;
    this.page = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    const { writeHead, write, end, flushHeaders, destroy } = response as unknown as Record<
      string,
      Method
    >;
    const bound =
      (method: Method | undefined): Method =>
      (...args) =>
        method?.apply(response, args);
    this.#original = {
      ...{ writeHead: bound(writeHead), write: bound(write), end: bound(end) },
      ...{ flushHeaders: bound(flushHeaders), destroy: bound(destroy) },
    };
    const held: Readonly<Record<Replaced, Method>> = {
      writeHead: (...args) => {
        if (this.#state === 'passing' || this.#isSending) return this.#original.writeHead(...args);
        const [status] = args;
        this.#readHead(typeof status === 'number' ? status : response.statusCode, args);
        return response;
      },
      write: (...args) => this.#write(args),
      end: (...args) => this.#end(args),
      flushHeaders: () => {
        if (this.#state === 'passing') return this.#original.flushHeaders();
        this.#readHead(response.statusCode, []);
        return this.#asStream();
      },
      destroy: (...args) => this.#destroy(args),
    };
    Object.assign(response, held);
    const late = 'The seller did not serve this request in time.';
    this.#timer = setTimeout(() => this.#fail(504, late), limits.timeoutMs);
  }

  /** @param args what was given to `writeHead` */
  #readHead(status: number, args: readonly unknown[]): void {
    if (this.#head !== undefined) return;
    this.#head = { status, headers: headersWritten(this.#response.getHeaders(), args) };
    clearTimeout(this.#timer);
    const { holdMs } = this.#limits;
    if (status >= 400 || this.#isSettled || isStream(this.#head.headers)) this.#asStream();
    else {
      this.#timer = setTimeout(() => {
        // A handler often stops when its client leaves: what it wrote so far is nothing to take money for.
        if (this.#response.destroyed)
          this.#fail(499, 'The client left before the response was there.');
        else this.#asStream();
      }, holdMs);
    }
  }

  #decide(page: SoldPage): void {
    if (this.#decided) return;
    this.#decided = true;
    clearTimeout(this.#timer);
    this.#resolve(page);
  }

  /** The client gets what is written as it comes, once it is paid. */
  #asStream(): void {
    const { status, headers } = this.#head ?? { status: this.#response.statusCode, headers: [] };
    this.#decide({ good: status < 400, whole: false, status, headers, body: undefined });
  }

  #fail(status: number, message: string): void {
    if (this.#decided) return;
    this.#state = 'dropped';
    this.#decide(ownPage(status, 'handler_failed', message));
  }

  #write(args: readonly unknown[]): unknown {
    if (this.#state === 'passing') return this.#original.write(...args);
    const done = callbackIn(args);
    if (done) queueMicrotask(done);
    if (this.#state === 'dropped' || this.#ended) return true;
    this.#readHead(this.#response.statusCode, []);
    this.#take(bytesWritten(args));
    // The rest of a stream waits until it is paid: `deliver` reports the drain.
    return !this.#decided;
  }

  #take(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    if (this.#length > this.#limits.maxResponseBytes) this.#asStream();
  }

  #end(args: readonly unknown[]): unknown {
    if (this.#state === 'passing') {
      this.#ended = true;
      return this.#original.end(...args);
    }
    const done = callbackIn(args);
    if (done) this.#response.on('finish', done);
    if (this.#state === 'dropped' || this.#ended) return this.#response;
    this.#readHead(this.#response.statusCode, []);
    this.#take(bytesWritten(args));
    this.#ended = true;
    if (this.#decided || this.#head === undefined) return this.#response;
    const { status, headers } = this.#head;
    this.#decide({ good: true, whole: true, status, headers, body: joined(this.#pieces) });
    return this.#response;
  }

  #destroy(args: readonly unknown[]): unknown {
    // Handlers often destroy the response of a client that left.
    if (!this.#response.destroyed && !this.#ended) this.#isBroken = true;
    if (this.#state === 'held' && !this.#decided) {
      // The seller's own answer says that nothing was taken.
      this.#fail(502, 'The seller broke off before its response was there.');
      return this.#response;
    }
    return this.#original.destroy(...args);
  }

  /** Sends something else in its place: what the handler still writes goes nowhere. */
  replace(answer: WholeAnswer): void {
    this.#state = 'dropped';
    clearTimeout(this.#timer);
    this.#isSending = true;
    setHead(this.#response, answer.status, answer.headers);
    this.#original.end(answer.body);
    this.#isSending = false;
    // A stream that waits for its payment continues, to nowhere.
    this.#response.emit('drain');
  }

  /**
   * Sends the response.
   * @param headers all of them
   * @returns once it ended: `broken` if the handler broke off; a client that left counts as one that has it
   */
  async deliver(headers: Headers): Promise<'delivered' | 'broken'> {
    const response = this.#response;
    const closed = new Promise<void>((resolve) => {
      response.on('close', () => resolve());
    });
    setHead(response, this.#head?.status ?? response.statusCode, headers);
    this.#state = 'passing';
    if (this.#isBroken || response.destroyed) {
      this.#original.destroy();
      return this.#isBroken ? 'broken' : 'delivered';
    }
    const { write, end, flushHeaders } = this.#original;
    if (this.#ended) end(joined(this.#pieces));
    else {
      if (this.#length === 0) flushHeaders();
      else write(joined(this.#pieces));
      response.emit('drain');
    }
    this.#pieces = [];
    await closed;
    return this.#isBroken ? 'broken' : 'delivered';
  }
}
