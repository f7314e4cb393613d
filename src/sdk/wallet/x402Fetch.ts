import {
  isAccountAddress,
  parseContractAddress,
  parseStellarAddress,
} from '../../protocol/index.ts';
import {
  connectRpc,
  fetchTransport,
  InvalidRequirementsError,
  knownSigner,
  type PaymentProtocol,
  type PaymentSigner,
  PROTOCOLS,
  payForResource,
  paymentOutcome,
  type SentPayment,
  type WalletSigner,
  webPlatform,
  X402Error,
  X402NotConfiguredError,
} from '../exact/index.ts';
import {
  checkCeiling,
  SessionBudget,
  type SessionCeiling,
  type SpendingStore,
} from './sessionBudget.ts';

export interface X402FetchOptions {
  /** The payer: a classic account or a smart account. */
  readonly signer: PaymentSigner | WalletSigner;
  /** The Stellar RPC that simulates payments. */
  readonly rpcUrl: string;
  /** Maximum price of one request in atomic units. */
  readonly maxAmount?: bigint;
  /**
   * Maximum cost of all requests together, for each asset. It guards against mistakes; only a spending
   * policy on the ledger limits a key. With an object, only the assets in it are paid.
   */
  readonly sessionCeiling?: SessionCeiling;
  /** Stores spending across restarts: `spendingFile(path)`, or your own. */
  readonly spendingStore?: SpendingStore;
  /** Token contracts to pay with; all if undefined. */
  readonly allowedAssets?: readonly string[];
  /**
   * How to pay, in the order of preference. The first option that the other limits allow is chosen: all of the first protocol
   * in the seller's order, then those of the next one. Default: `['x402', 'mpp']`. A request with an `Authorization` header of
   * its own is paid by x402 only, because MPP would replace that header.
   */
  readonly protocols?: readonly PaymentProtocol[];
  /** Called with what was chosen, before it is signed. Throw to stop: nothing is paid then. */
  readonly onChosen?: (choice: PaymentChoice) => void | Promise<void>;
  /** A funded account (`G…`), not the payer, as the source of simulations; it is never charged. */
  readonly simulationSourceAccount?: string;
  /**
   * Returns the payment identifier of a request, such as an order number. Every repeat of the same payment
   * under it gets the same response; another payment under it is refused. Without this option, the SDK sends a
   * random identifier to sellers that accept one.
   */
  readonly paymentId?: (request: Request) => string | undefined;
  /** CAIP-2 name of the network to pay on. Default: `stellar:testnet`. */
  readonly network?: string;
  /** Default: that of testnet. */
  readonly networkPassphrase?: string;
  /** Replaces the platform's own `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** What is about to be paid, and how. */
export interface PaymentChoice {
  readonly protocol: PaymentProtocol;
  /** Contract (`C…`). */
  readonly asset: string;
  /** Atomic units. */
  readonly amount: bigint;
  /** Who is paid (`G…` or `C…`). */
  readonly payTo: string;
}

/** A payment in progress. */
interface Paying {
  /** Releases the amount reserved for it. */
  giveBack: (() => void) | undefined;
  /** Set when the signed payment is about to be sent. */
  sent: SentPayment | undefined;
}

/** Headers that, as in a browser, are not sent to another origin. */
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization'];

/**
 * Returns a `fetch` that pays for resources by x402 with scheme `exact`, or by charges of MPP; limits, budget and outcomes are the
 * same for both. It never pays twice: a payment that settled without a resource throws an error with the hash.
 * @throws X402NotConfiguredError if the options are invalid
 * @example with an account that holds USDC
 * ```ts
 * import { accountSigner, createX402Fetch, USDC, usdc } from 'svc-x402-sdk';
 *
 * const pay = createX402Fetch({
 *   signer: accountSigner(address, sign),
 *   rpcUrl: 'http://127.0.0.1:8000/rpc',
 *   allowedAssets: [USDC],
 *   maxAmount: usdc('0.01 USDC'), // maximum per request
 *   sessionCeiling: { [USDC]: usdc('1 USDC') }, // maximum for all requests
 * });
 * const response = await pay('http://127.0.0.1:4022/weather/Lima');
 * console.log(response.status); // 200
 * ```
 */
export function createX402Fetch(options: X402FetchOptions): typeof globalThis.fetch {
  const { signer, maxAmount, allowedAssets, network, networkPassphrase } = options;
  const source = checkOptions(options);
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const rpc = connectRpc(options.rpcUrl, fetchTransport(fetch));
  const platform = webPlatform(globalThis.crypto);
  const budget = new SessionBudget(options.sessionCeiling, options.spendingStore, (payment) =>
    paymentOutcome(payment, rpc),
  );

  /** A store that fails now must not hide a payment's outcome: the store has the payment as open, which counts as spent. */
  const record = ({ nonce }: SentPayment, moneyMoved: X402Error['moneyMoved']): Promise<void> =>
    budget.close(nonce, moneyMoved).catch(() => undefined);

  return async (input, init) => {
    const request = new Request(input, init);
    // The body is sent again with the payment, so it is buffered.
    const body = request.body === null ? undefined : await request.clone().arrayBuffer();
    let asked: Response | undefined;
    /** The last response; the caller gets it unless the payment fails. */
    let last: Response | undefined;
    const paying: Paying = { giveBack: undefined, sent: undefined };
    const send = async (headers: Readonly<Record<string, string>>): Promise<Response> => {
      discard(last);
      last = await fetch(
        asked === undefined ? request.clone() : paidRequest(request, asked, body, headers),
      );
      asked ??= last;
      return last;
    };
    try {
      const { response } = await payForResource(send, {
        signer,
        rpc,
        platform,
        now: Date.now,
        maxAmount,
        allowedAssets,
        networkPassphrase,
        simulationSourceAccount: source,
        signal: request.signal,
        paymentId: options.paymentId?.(request),
        ...(network === undefined ? {} : { network }),
        protocols: options.protocols ?? PROTOCOLS,
        hasAuthorization: request.headers.has('authorization'),
        beforeSigning: async ({ asset, amount, payTo }, protocol) => {
          checkRedirect(request, asked);
          await options.onChosen?.({ protocol, asset, amount, payTo });
          paying.giveBack = await budget.reserve(asset, amount);
        },
        beforeSending: async (payment) => {
          await budget.open(payment);
          paying.sent = payment;
          paying.giveBack?.();
        },
      });
      if (paying.sent !== undefined) await record(paying.sent, 'yes');
      return response;
    } catch (error) {
      discard(last);
      const { sent, giveBack } = paying;
      if (sent === undefined) giveBack?.();
      else await record(sent, error instanceof X402Error ? error.moneyMoved : 'unknown');
      throw error;
    }
  };
}

/** Releases the connection of a response whose body nobody reads. */
function discard(response: Response | undefined): void {
  // The `fetch` of another implementation may have bodies without this method.
  void response?.body?.cancel?.().catch(() => undefined);
}

/** Pays at the redirected URL only for a request that can be repeated there. */
function checkRedirect({ method }: Request, asked: Response | undefined): void {
  if (asked?.redirected && method !== 'GET' && method !== 'HEAD') {
    throw new InvalidRequirementsError(
      `The ${method} was sent on to ${asked.url}, which asks to be paid: ask there yourself.`,
    );
  }
}

/** Returns the request with the payment, to the URL that requested it, without following redirects. */
function paidRequest(
  request: Request,
  asked: Response,
  body: ArrayBuffer | undefined,
  payment: Readonly<Record<string, string>>,
): Request {
  const url = asked.url === '' ? request.url : asked.url;
  const headers = new Headers(request.headers);
  if (new URL(url).origin !== new URL(request.url).origin) {
    for (const name of CREDENTIALS) headers.delete(name);
  }
  for (const [name, value] of Object.entries(payment)) headers.set(name, value);
  return new Request(url, {
    method: request.method,
    headers,
    redirect: 'manual',
    signal: request.signal,
    ...(body === undefined ? {} : { body }),
  });
}

/** Early releases of Node 18 do not have `URL.canParse`. */
function isHttpUrl(text: unknown): boolean {
  try {
    return typeof text === 'string' && /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

function checkOptions(options: X402FetchOptions) {
  const { signer, rpcUrl, maxAmount, sessionCeiling, allowedAssets, simulationSourceAccount } =
    options;
  const wrong = (text: string) => new X402NotConfiguredError(text);
  if (signer === undefined) throw wrong('x402 needs a signer, the payer.');
  const { address } = knownSigner(signer);
  if (!isHttpUrl(rpcUrl)) {
    throw wrong(`x402 needs rpcUrl, the URL of a Stellar RPC; ${JSON.stringify(rpcUrl)} is none.`);
  }
  if (maxAmount !== undefined && (typeof maxAmount !== 'bigint' || maxAmount < 0n)) {
    throw wrong('maxAmount is a bigint of atomic units.');
  }
  const { protocols } = options;
  const isKnown = protocols?.every((name) => PROTOCOLS.includes(name)) ?? true;
  if (!isKnown || protocols?.length === 0) {
    throw wrong("protocols is a list of 'x402' and 'mpp' with at least one of them.");
  }
  checkCeiling(sessionCeiling);
  const strange = allowedAssets?.find((asset) => parseContractAddress(asset) === undefined);
  if (strange !== undefined) throw wrong(`allowedAssets: ${strange} is not a contract.`);
  if (simulationSourceAccount === undefined) return undefined;
  const source = parseStellarAddress(simulationSourceAccount);
  if (source === undefined || !isAccountAddress(source) || source === address) {
    throw wrong('simulationSourceAccount is a funded account (G…) other than the payer.');
  }
  return source;
}
