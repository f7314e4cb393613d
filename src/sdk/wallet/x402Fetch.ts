import {
  isAccountAddress,
  parseContractAddress,
  parseStellarAddress,
} from '../../protocol/index.ts';
import {
  connectRpc,
  fetchTransport,
  InvalidRequirementsError,
  MaxAmountExceededError,
  type PaymentOption,
  type PaymentSigner,
  payForResource,
  webPlatform,
  X402Error,
  X402NotConfiguredError,
} from '../exact/index.ts';

export interface X402FetchOptions {
  /** Who pays: a classic account or a smart account. */
  readonly signer: PaymentSigner;
  /** The Stellar RPC that payments are simulated on. */
  readonly rpcUrl: string;
  /** Most atomic units that one request may cost. */
  readonly maxAmount?: bigint;
  /**
   * Most atomic units that all requests together may cost. It is counted in this process alone and
   * guards against mistakes; a spending policy on the ledger is what limits a key.
   */
  readonly sessionCeiling?: bigint;
  /** Token contracts that may be paid in; all when not given. */
  readonly allowedAssets?: readonly string[];
  /** A funded account (`G…`), not the payer, that simulations run from; it is never charged. */
  readonly simulationSourceAccount?: string;
  readonly network?: string;
  readonly networkPassphrase?: string;
  /** Instead of the platform's own. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Headers that a browser would not carry to another origin either. */
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization'];

/**
 * A `fetch` that pays what costs something, with scheme `exact`. It never pays twice: what settled
 * and gave no resource raises an error with the hash.
 * @throws X402NotConfiguredError when the options cannot be used
 */
export function createX402Fetch(options: X402FetchOptions): typeof globalThis.fetch {
  const { signer, maxAmount, sessionCeiling, allowedAssets, network, networkPassphrase } = options;
  const source = checkOptions(options);
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const rpc = connectRpc(options.rpcUrl, fetchTransport(fetch));
  const platform = webPlatform(globalThis.crypto);
  /** Paid, and what may yet be. */
  let committed = 0n;

  function commit({ amount }: PaymentOption): void {
    if (sessionCeiling !== undefined && committed + amount > sessionCeiling) {
      throw new MaxAmountExceededError(amount, sessionCeiling - committed);
    }
    committed += amount;
  }

  return async (input, init) => {
    const request = new Request(input, init);
    // A body is sent again with the payment, so it is kept.
    const body = request.body === null ? undefined : await request.clone().arrayBuffer();
    let asked: Response | undefined;
    let reserved = 0n;
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
        ...(network === undefined ? {} : { network }),
        beforeSigning: (option) => {
          checkRedirect(request, asked);
          commit(option);
          reserved = option.amount;
        },
      });
      return response;
    } catch (error) {
      if (error instanceof X402Error ? error.moneyMoved === 'no' : true) committed -= reserved;
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
  if (!isHttpUrl(rpcUrl)) {
    throw wrong(`x402 needs rpcUrl, the URL of a Stellar RPC; ${JSON.stringify(rpcUrl)} is none.`);
  }
  for (const [name, amount] of Object.entries({ maxAmount, sessionCeiling })) {
    if (amount !== undefined && (typeof amount !== 'bigint' || amount < 0n)) {
      throw wrong(`${name} is a bigint of atomic units.`);
    }
  }
  const strange = allowedAssets?.find((asset) => parseContractAddress(asset) === undefined);
  if (strange !== undefined) throw wrong(`allowedAssets: ${strange} is no contract.`);
  if (simulationSourceAccount === undefined) return undefined;
  const source = parseStellarAddress(simulationSourceAccount);
  if (source === undefined || !isAccountAddress(source) || source === signer.address) {
    throw wrong('simulationSourceAccount is a funded account (G…) other than the payer.');
  }
  return source;
}
