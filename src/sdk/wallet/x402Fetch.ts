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
  type PaymentSigner,
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
  /** Who pays: a classic account or a smart account. */
  readonly signer: PaymentSigner | WalletSigner;
  /** The Stellar RPC that payments are simulated on. */
  readonly rpcUrl: string;
  /** Most atomic units that one request may cost. */
  readonly maxAmount?: bigint;
  /**
   * Most that all requests together may cost, of each asset. It guards against mistakes; a spending policy
   * on the ledger is what limits a key. With an object only the assets in it are paid.
   */
  readonly sessionCeiling?: SessionCeiling;
  /** Where spending is kept, so that a restart does not forget it: `spendingFile(path)`, or your own. */
  readonly spendingStore?: SpendingStore;
  /** Token contracts that may be paid in; all when not given. */
  readonly allowedAssets?: readonly string[];
  /** A funded account (`G…`), not the payer, that simulations run from; it is never charged. */
  readonly simulationSourceAccount?: string;
  /**
   * Returns the payment identifier of a request, such as an order number. Every repeat of the same payment
   * under it gets the same answer; another payment under it is refused. Without this option the SDK sends a
   * random identifier to sellers that accept one.
   */
  readonly paymentId?: (request: Request) => string | undefined;
  readonly network?: string;
  readonly networkPassphrase?: string;
  /** Instead of the platform's own. */
  readonly fetch?: typeof globalThis.fetch;
}

/** One payment on its way. */
interface Paying {
  /** Gives back what was reserved for it. */
  giveBack: (() => void) | undefined;
  /** Set when signed bytes are about to leave. */
  sent: SentPayment | undefined;
}

/** Headers that a browser would not carry to another origin either. */
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization'];

/**
 * A `fetch` that pays what costs something, with scheme `exact`. It never pays twice: what settled
 * and gave no resource raises an error with the hash.
 * @throws X402NotConfiguredError when the options cannot be used
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

  return async (input, init) => {
    const request = new Request(input, init);
    // A body is sent again with the payment, so it is kept.
    const body = request.body === null ? undefined : await request.clone().arrayBuffer();
    let asked: Response | undefined;
    const paying: Paying = { giveBack: undefined, sent: undefined };
    const send = async (headers: Readonly<Record<string, string>>): Promise<Response> => {
      if (asked !== undefined) return fetch(paidRequest(request, asked, body, headers));
      asked = await fetch(request.clone());
      return asked;
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
        beforeSigning: async ({ asset, amount }) => {
          checkRedirect(request, asked);
          paying.giveBack = await budget.reserve(asset, amount);
        },
        beforeSending: async (payment) => {
          await budget.open(payment);
          paying.sent = payment;
          paying.giveBack?.();
        },
      });
      if (paying.sent !== undefined) await budget.close(paying.sent.nonce, 'yes');
      return response;
    } catch (error) {
      const { sent, giveBack } = paying;
      if (sent === undefined) giveBack?.();
      else
        await budget.close(sent.nonce, error instanceof X402Error ? error.moneyMoved : 'unknown');
      throw error;
    }
  };
}

/** Only what can be asked again at another place is paid for there. */
function checkRedirect({ method }: Request, asked: Response | undefined): void {
  if (asked?.redirected && method !== 'GET' && method !== 'HEAD') {
    throw new InvalidRequirementsError(
      `The ${method} was sent on to ${asked.url}, which asks to be paid: ask there yourself.`,
    );
  }
}

/** The request with the payment, to the place that asked for it, and from there nowhere else. */
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

/** `URL.canParse` is younger than Node 18. */
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
  if (signer === undefined) throw wrong('x402 needs a signer: who pays.');
  const { address } = knownSigner(signer);
  if (!isHttpUrl(rpcUrl)) {
    throw wrong(`x402 needs rpcUrl, the URL of a Stellar RPC; ${JSON.stringify(rpcUrl)} is none.`);
  }
  if (maxAmount !== undefined && (typeof maxAmount !== 'bigint' || maxAmount < 0n)) {
    throw wrong('maxAmount is a bigint of atomic units.');
  }
  checkCeiling(sessionCeiling);
  const strange = allowedAssets?.find((asset) => parseContractAddress(asset) === undefined);
  if (strange !== undefined) throw wrong(`allowedAssets: ${strange} is no contract.`);
  if (simulationSourceAccount === undefined) return undefined;
  const source = parseStellarAddress(simulationSourceAccount);
  if (source === undefined || !isAccountAddress(source) || source === address) {
    throw wrong('simulationSourceAccount is a funded account (G…) other than the payer.');
  }
  return source;
}
