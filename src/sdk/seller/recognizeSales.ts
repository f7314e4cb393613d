import {
  decodeHeaderMessage,
  PAYMENT_RESPONSE_HEADER,
  PAYMENT_SIGNATURE_HEADER,
} from '../../protocol/index.ts';
import { PAYMENT_IDENTIFIER, readSettlement, webPlatform } from '../exact/index.ts';
import { type SaleExtension, saleExtension } from './declaredSale.ts';
import {
  joined,
  type NodeRequest,
  type NodeResponse,
  recordResponse,
  type SentResponse,
  sendTo,
} from './nodeResponse.ts';
import { readPaymentIdentifier } from './paymentIdentifier.ts';
import { memorySales, type SaleStore, type StoredSale } from './saleStore.ts';

/** Options of `recognizeSales`. */
export interface RecognizeSalesOptions {
  /** Default: `memorySales()`. */
  readonly store?: SaleStore;
  /** Longer bodies are not kept, in bytes. Default: 1 MiB. */
  readonly maxBodyBytes?: number;
  /** How long a repeated request waits for the first one, in milliseconds. Default: 20,000. */
  readonly waitMs?: number;
  /** Called when a sale could not be kept; its response was sent. */
  readonly onError?: (error: unknown) => void;
}

/** Recognizes repeated requests of sales that are identified (extension `payment-identifier`). */
export interface SaleRecognizer {
  /** For `x402ResourceServer.registerExtension`: declares the sale in the terms of routes that accept identifiers. */
  readonly extension: SaleExtension;
  /** For Express and other servers on `node:http`. Mount it before the payment middleware. */
  readonly middleware: (
    request: NodeRequest,
    response: NodeResponse,
    next: (error?: unknown) => void,
  ) => void;
  /** For Hono, Next.js and other servers on `Request` and `Response`: answers the request, or lets `next` do it. */
  readonly handle: (request: Request, next: () => Promise<Response>) => Promise<Response>;
}

const MAX_BODY_BYTES = 1 << 20;
const WAIT_MS = 20_000;

/** Headers that belong to one connection or one moment, or that set the buyer's own state. */
const NOT_REPEATED: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'trailer', 'upgrade', 'date'],
  ...['content-length', 'set-cookie'],
]);

/** A request that may be of a sale which was made before. */
interface Presented {
  readonly id: string;
  readonly fingerprint: string;
}

/** What to do with a request: answer it, or serve it and report what was sent. */
type Turn =
  | { readonly answer: SentResponse }
  | { readonly sold: (sent: SentResponse | undefined) => Promise<void> };

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** A refusal as JSON. */
function refusalOf(status: number, error: string, message: string, more = {}): SentResponse {
  const body = new TextEncoder().encode(JSON.stringify({ error, message }));
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...more };
  return { status, headers: Object.entries(headers), body };
}

const CONFLICT = refusalOf(
  409,
  'payment_identifier_conflict',
  'This payment identifier belongs to another payment, method or resource. Nothing was settled for this request. Use a new identifier for a new purchase.',
);
const BUSY = refusalOf(
  503,
  'payment_in_progress',
  'The first request of this sale is still being served. Send the identical request again.',
  { 'retry-after': '1' },
);

const GONE = refusalOf(
  410,
  'sale_response_gone',
  'This sale was served, and its response is no longer kept. The payment settled: do not pay again for it.',
);

/** Whether a response was sold: it was good, and it says that its payment settled. */
function isSold({ status, headers }: SentResponse): boolean {
  const named = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const get = (name: string): string | null => named.get(name.toLowerCase()) ?? null;
  const settlement = readSettlement({ status, headers: { get }, text: async () => '' });
  return status >= 200 && status < 400 && settlement?.success === true;
}

/** Whether the buyer accepted terms in which the seller declares the sale. Terms that it changed match none of the seller's. */
function isDeclared(header: string): boolean {
  let found: unknown = decodeHeaderMessage(header);
  for (const name of ['accepted', 'extra', PAYMENT_IDENTIFIER]) {
    if (typeof found !== 'object' || found === null) return false;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return typeof found === 'object' && found !== null;
}

/** Returns a digest of the payload, which the buyer signed, and what it is presented for. */
async function fingerprintOf(header: string, method: string, target: string): Promise<string> {
  const message = decodeHeaderMessage(header);
  const payload = (message as Readonly<Record<string, unknown>> | undefined)?.['payload'] ?? null;
  const text = JSON.stringify([payload, method, target]);
  const digest = await webPlatform(globalThis.crypto).sha256(new TextEncoder().encode(text));
  return toBase64(digest);
}

/** Waits for a promise for a limited time. @returns whether it was settled in time */
async function within(waited: Promise<void>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([waited.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The sales of one seller, those being served included. */
class Sales {
  readonly #store: SaleStore;
  readonly #waitMs: number;
  readonly #maxBodyBytes: number;
  readonly #onError: (error: unknown) => void;
  readonly #serving = new Map<string, Promise<void>>();

  constructor(options: RecognizeSalesOptions) {
    this.#store = options.store ?? memorySales();
    this.#waitMs = options.waitMs ?? WAIT_MS;
    this.#maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
    this.#onError = options.onError ?? (() => {});
  }

  get maxBodyBytes(): number {
    return this.#maxBodyBytes;
  }

  /** Decides about a request. `undefined` for one that is not of a declared and identified sale. */
  async turnOf(
    header: string | null | undefined,
    method: string,
    target: string,
  ): Promise<Turn | undefined> {
    const id = readPaymentIdentifier(header);
    if (typeof header !== 'string' || id === undefined || !isDeclared(header)) return undefined;
    const presented = { id, fingerprint: await fingerprintOf(header, method, target) };
    const until = Date.now() + this.#waitMs;
    for (;;) {
      const first = this.#serving.get(id);
      if (first === undefined) break;
      if (!(await within(first, until - Date.now()))) return { answer: BUSY };
    }
    // Nothing is waited for between the look and the entry, so that only one of several requests is served.
    let served: () => void = () => {};
    this.#serving.set(
      id,
      new Promise<void>((resolve) => {
        served = resolve;
      }),
    );
    const leave = (): void => {
      this.#serving.delete(id);
      served();
    };
    try {
      const sale = await this.#store.find(id);
      if (sale === undefined) return { sold: (sent) => this.#keep(presented, sent).finally(leave) };
      leave();
      return { answer: sale.fingerprint === presented.fingerprint ? repeated(sale) : CONFLICT };
    } catch (error) {
      leave();
      this.#onError(error);
      // A sale that cannot be looked up might have been made: to serve it would be to serve it twice.
      return { answer: BUSY };
    }
  }

  async #keep(presented: Presented, sent: SentResponse | undefined): Promise<void> {
    if (sent === undefined || !isSold(sent)) return;
    const headers = sent.headers.filter(([name]) => !NOT_REPEATED.has(name.toLowerCase()));
    const { status, body } = sent;
    const response = body && { status, headers, body: toBase64(body) };
    try {
      await this.#store.keep({ ...presented, soldAt: Date.now(), response });
    } catch (error) {
      this.#onError(error);
    }
  }
}

/** Returns the response of a sale, which was sent before. */
function repeated({ response }: StoredSale): SentResponse {
  return response === undefined ? GONE : { ...response, body: fromBase64(response.body) };
}

/** Reads a copy of a response, up to a limit. */
async function copyOf(response: Response, maxBytes: number): Promise<SentResponse> {
  const { status } = response;
  const headers = [...response.headers];
  const pieces: Uint8Array[] = [];
  let left = maxBytes;
  try {
    const reader = response.clone().body?.getReader();
    for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
      left -= read.value.length;
      if (left < 0) {
        void reader?.cancel().catch(() => {});
        return { status, headers, body: undefined };
      }
      pieces.push(read.value);
    }
  } catch {
    return { status, headers, body: undefined };
  }
  return { status, headers, body: joined(pieces) };
}

/**
 * Recognizes sales by the buyer's payment identifier: a repeated request gets the response that was sold, and the same
 * identifier with another payment, method or resource is refused with 409, both before anything is verified. Only routes that
 * declare identifiers take part, and only responses whose payment settled are kept. The body of a request is not compared.
 *
 * @example
 * ```ts
 * import { declarePaymentIdentifier, fileSales, recognizeSales } from 'svc-x402-sdk';
 *
 * const sales = recognizeSales({ store: fileSales('sales.jsonl') });
 * const route = { extensions: { ...declarePaymentIdentifier() } };
 * // x402.registerExtension(sales.extension);
 * // app.get('/weather', sales.middleware, paymentMiddleware(routes, x402), handler);
 * console.log(sales.extension.key, Object.keys(route.extensions)); // payment-identifier [ 'payment-identifier' ]
 * ```
 */
export function recognizeSales(options: RecognizeSalesOptions = {}): SaleRecognizer {
  const sales = new Sales(options);

  async function serve(
    request: NodeRequest,
    response: NodeResponse,
    next: (error?: unknown) => void,
  ): Promise<void> {
    const header = request.headers[PAYMENT_SIGNATURE_HEADER.toLowerCase()];
    const target = request.originalUrl ?? request.url ?? '';
    const turn = await sales.turnOf(
      typeof header === 'string' ? header : undefined,
      request.method ?? '',
      target,
    );
    if (turn === undefined) next();
    else if ('answer' in turn) sendTo(response, turn.answer);
    else {
      void recordResponse(response, sales.maxBodyBytes).then(turn.sold);
      next();
    }
  }

  return {
    extension: saleExtension,
    middleware(request, response, next) {
      serve(request, response, next).catch(next);
    },
    async handle(request, next) {
      const { pathname, search } = new URL(request.url);
      const header = request.headers.get(PAYMENT_SIGNATURE_HEADER);
      const turn = await sales.turnOf(header, request.method, `${pathname}${search}`);
      if (turn === undefined) return next();
      if ('answer' in turn) {
        const { status, headers, body } = turn.answer;
        return new Response(body === undefined || body.length === 0 ? null : new Uint8Array(body), {
          status,
          headers: headers.map(([name, value]) => [name, value] as [string, string]),
        });
      }
      let sent: SentResponse | undefined;
      try {
        const response = await next();
        if (response.headers.has(PAYMENT_RESPONSE_HEADER)) {
          sent = await copyOf(response, sales.maxBodyBytes);
        }
        return response;
      } finally {
        await turn.sold(sent);
      }
    },
  };
}
