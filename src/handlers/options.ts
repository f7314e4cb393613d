import { randomBytes } from 'node:crypto';
import {
  type AtomicAmount,
  encodeStrKey,
  parseDecimalAmount,
  parseStellarAddress,
  quoted,
  type StellarAddress,
  withoutUsdc,
} from '../protocol/index.ts';
import {
  isAccent,
  memoryBook,
  mppProtocol,
  type PageLook,
  receiptKey,
  type SaleBook,
  type SellerProtocol,
  type SettleWhen,
  withReceipts,
  x402Protocol,
} from '../seller/index.ts';
import type { SoldPage } from './soldPage.ts';

/** Bounds of requests and responses. */
export interface SellerLimits {
  /** Of the body of a request that pays, in bytes. Default: 4 MiB. */
  readonly maxRequestBytes: number;
  /** Of a response that is kept until its payment has settled, in bytes; a longer one is a stream. Default: 4 MiB. */
  readonly maxResponseBytes: number;
  /** How long the body of a response may take before the response counts as a stream, in milliseconds. Default: 30,000. */
  readonly holdMs: number;
  /** How long a handler may take before its response begins, in milliseconds. Default: 60,000. */
  readonly timeoutMs: number;
}

/** What a seller is made from. */
export interface SellerOptions {
  /** Stellar address that is paid (G… or C…). */
  readonly payTo: string;
  /** URL of an x402 facilitator, such as `http://127.0.0.1:4021`. */
  readonly facilitator: string;
  /** Name of the service, in catalogs. */
  readonly serviceName?: string | undefined;
  /** Origin under which buyers reach the app, such as `https://api.example.com`. Default: what they ask for. */
  readonly publicUrl?: string | undefined;
  /**
   * Where sales are kept. Default: in memory. A process that is restarted has then forgotten them: nothing is sold twice for one
   * payment, and the response to a lost answer is lost.
   */
  readonly book?: SaleBook<SoldPage> | undefined;
  /** How requests are paid. Default: `['x402', 'mpp']`. */
  readonly protocols?: readonly ('x402' | 'mpp')[] | undefined;
  /**
   * Key of the ids of MPP challenges, of 16 characters or more. Default: a random one. Processes that share their sales share it,
   * and with one from the environment a challenge outlives a restart.
   */
  readonly secret?: string | undefined;
  /**
   * Secret of the key that signs offers and receipts: 64 hexadecimal characters, made for this alone. Needs `publicUrl`, and x402.
   * Default: nothing is signed.
   */
  readonly receiptKey?: string | undefined;
  readonly limits?: Partial<SellerLimits> | undefined;
  /**
   * The page that a browser gets for a price: its words and colour, or `false` for JSON as everybody else gets. Default: a page with
   * the route's own words.
   */
  readonly page?: boolean | PageLook | undefined;
  /** Called with what a handler threw, and if a sale could not be noted. Default: nothing. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** What one route sells. */
export interface Terms {
  /** In USDC, such as `0.01`. */
  readonly price: string;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** When the money is taken: once the response is there, or before the handler works. Default: `after`. */
  readonly settle?: SettleWhen | undefined;
  /** Declarations for catalogs, such as `bazaar`. */
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** An option that cannot be used. */
export class SellerOptionError extends Error {
  override readonly name = 'SellerOptionError';
  readonly code:
    | 'invalid_pay_to'
    | 'invalid_url'
    | 'invalid_price'
    | 'invalid_secret'
    | 'invalid_receipt_key'
    | 'invalid_page'
    | 'no_protocol';

  constructor(code: SellerOptionError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The options of a seller, checked. */
export interface ReadOptions {
  readonly payTo: StellarAddress;
  readonly facilitator: string;
  readonly serviceName: string | undefined;
  readonly publicOrigin: string | undefined;
  /** At least one. */
  readonly protocols: readonly SellerProtocol[];
  readonly book: SaleBook<SoldPage>;
  readonly limits: SellerLimits;
  /** `undefined`: no page. */
  readonly page: PageLook | undefined;
  readonly onError: (error: unknown) => void;
}

const DEFAULT_LIMITS: SellerLimits = {
  maxRequestBytes: 4 << 20,
  maxResponseBytes: 4 << 20,
  holdMs: 30_000,
  timeoutMs: 60_000,
};

/** Of all responses that the default book keeps. */
const MAX_KEPT_BYTES = 64 << 20;

function urlIn(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new SellerOptionError(
    'invalid_url',
    `${quoted(text)} is not a URL. Use one such as http://127.0.0.1:4021.`,
  );
}

/** A shorter secret could be guessed, and challenges be forged with it. */
const MIN_SECRET = 16;

/** Returns x402, with signed offers and receipts if there is a key for them. @throws SellerOptionError */
function x402In({ receiptKey: secret, publicUrl, payTo }: SellerOptions): SellerProtocol {
  if (secret === undefined) return x402Protocol;
  const refused = (message: string): SellerOptionError =>
    new SellerOptionError('invalid_receipt_key', message);
  if (!/^[0-9a-f]{64}$/i.test(secret)) {
    throw refused(
      'The receipt key has 64 hexadecimal characters. Make one with: openssl rand -hex 32.',
    );
  }
  // Without it, the URL in what is signed would be the origin that a client names in its request.
  if (publicUrl === undefined) {
    throw refused('Signed offers and receipts name the resource. Set publicUrl to its origin.');
  }
  const key = receiptKey(Buffer.from(secret, 'hex'));
  if (encodeStrKey('account', key.publicKey) === payTo) {
    throw refused(
      'The receipt key is the secret of the account that is paid. Make one with: openssl rand -hex 32.',
    );
  }
  return withReceipts(x402Protocol, key, Date.now);
}

/** @throws SellerOptionError */
function protocolsIn(options: SellerOptions): readonly SellerProtocol[] {
  const { protocols: named = ['x402', 'mpp'], secret = randomBytes(32).toString('hex') } = options;
  if (secret.length < MIN_SECRET) {
    throw new SellerOptionError(
      'invalid_secret',
      `The secret of a seller has ${MIN_SECRET} characters or more. Make one with: openssl rand -hex 32.`,
    );
  }
  const spoken = [x402In(options), mppProtocol({ secret, now: Date.now })].filter(({ name }) =>
    named.some((each) => each === name),
  );
  if (spoken.length > 0) return spoken;
  throw new SellerOptionError('no_protocol', 'A seller needs a protocol: x402, mpp, or both.');
}

/** @throws SellerOptionError */
function pageIn(page: SellerOptions['page'] = true): PageLook | undefined {
  if (typeof page === 'boolean') return page ? {} : undefined;
  const { accent } = page;
  if (accent === undefined || isAccent(accent)) return page;
  throw new SellerOptionError(
    'invalid_page',
    `${quoted(accent)} is not a colour of the page. Use one such as #0b5cad.`,
  );
}

/** @throws SellerOptionError */
export function readOptions(options: SellerOptions): ReadOptions {
  const { payTo: given, facilitator, serviceName, publicUrl, book, limits, onError } = options;
  const payTo = parseStellarAddress(given);
  if (payTo === undefined) {
    throw new SellerOptionError(
      'invalid_pay_to',
      `${quoted(given)} is not a Stellar address. Use one that begins with G or C.`,
    );
  }
  return {
    payTo,
    facilitator: urlIn(facilitator).href.replace(/\/+$/, ''),
    serviceName,
    publicOrigin: publicUrl === undefined ? undefined : urlIn(publicUrl).origin,
    protocols: protocolsIn(options),
    book:
      book ??
      memoryBook<SoldPage>({
        now: Date.now,
        maxBytes: MAX_KEPT_BYTES,
        sizeOf: ({ body }) => body?.length ?? 0,
      }),
    limits: { ...DEFAULT_LIMITS, ...limits },
    page: pageIn(options.page),
    onError: onError ?? (() => {}),
  };
}

/** @throws SellerOptionError */
export function readPrice(price: string): AtomicAmount {
  const amount = parseDecimalAmount(withoutUsdc(price.trim()));
  if (amount !== undefined && amount > 0n) return amount;
  throw new SellerOptionError(
    'invalid_price',
    `${quoted(price)} is not a price. Use an amount in USDC such as 0.01.`,
  );
}
