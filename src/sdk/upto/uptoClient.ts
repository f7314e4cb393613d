import * as xdr from '@stellar/stellar-sdk/xdr';
import { TESTNET_PASSPHRASE } from '../../protocol/index.ts';
import {
  MAX_UPTO_LEDGERS,
  type UptoTerms,
  uptoAuthorizedInvocation,
  uptoInvocation,
} from '../../protocol/stellar/index.ts';
import {
  connectRpc,
  decode,
  fetchTransport,
  freshNonce,
  InvalidRequirementsError,
  type KnownSigner,
  knownSigner,
  MaxAmountExceededError,
  NULL_ACCOUNT,
  type PaymentSigner,
  type Platform,
  type SorobanRpc,
  signAuthorization,
  succeed,
  transferEnvelope,
  type WalletSigner,
  webPlatform,
} from '../exact/index.ts';
import type { Network, Requirements } from '../seller/index.ts';
import { type AskedTerms, readUptoTerms } from './readUptoTerms.ts';
import { type DollarAsset, findDollarAsset } from './usdc.ts';

export interface UptoClientOptions {
  /** Stellar RPC, over http or https. */
  readonly rpcUrl: string;
  /** The highest ceiling to sign, in atomic units; any if undefined. */
  readonly maxAmount?: bigint;
  /** The trusted settlement contracts; if undefined, the one that the seller names. */
  readonly contracts?: readonly string[];
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * The assumed duration of a ledger, in seconds. The authorization must outlive the request: the seller
 * settles when the work is done and metered.
 */
const SECONDS_PER_LEDGER = 5;
/** Ledgers beyond maxTimeoutSeconds, so that skew between servers does not cause a settlement to be refused. */
const MARGIN_LEDGERS = 12;

/**
 * Scheme `upto` for the `x402Client` of `@x402/core` (experimental):
 * `new x402Client().register('stellar:testnet', new UptoStellarClient(signer, { rpcUrl }))`.
 *
 * The payer signs once: the seller may settle any amount up to the ceiling, once, until the
 * authorization expires.
 * @example with an account that holds USDC, and the published packages
 * ```ts
 * import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
 * import { accountSigner, USDC, usdc } from 'svc-x402-sdk';
 * import { UptoStellarClient } from 'svc-x402/upto';
 *
 * const scheme = new UptoStellarClient(accountSigner(address, sign), {
 *   rpcUrl: 'http://127.0.0.1:8000/rpc',
 *   maxAmount: usdc('1 USDC'), // the highest ceiling that is signed
 * });
 * const client = new x402Client().register('stellar:testnet', scheme);
 * client.registerPolicy((_version, terms) => terms.filter(({ asset }) => asset === USDC));
 * const pay = wrapFetchWithPayment(fetch, client);
 * console.log((await pay('http://127.0.0.1:4022/words/37')).status); // 200
 * ```
 */
export class UptoStellarClient {
  readonly scheme = 'upto';
  readonly #signer: KnownSigner;
  readonly #rpc: SorobanRpc;
  readonly #platform: Platform;
  readonly #options: UptoClientOptions;

  /** @throws X402NotConfiguredError if the signer cannot sign for its address, TypeError if rpcUrl is not a URL */
  constructor(signer: PaymentSigner | WalletSigner, options: UptoClientOptions) {
    this.#signer = knownSigner(signer);
    this.#options = options;
    this.#platform = webPlatform(globalThis.crypto);
    const url = new URL(options.rpcUrl).href;
    this.#rpc = connectRpc(url, fetchTransport(options.fetch ?? globalThis.fetch));
  }

  /**
   * Returns the asset that represents dollars: the `x402Client` of 2.23 and later applies its spend
   * controls to it, by default one dollar per payment.
   */
  findDefaultAsset(asset: string, network: Network): DollarAsset | undefined {
    return findDollarAsset(asset, network);
  }

  /**
   * Signs the seller's ceiling.
   * @throws X402Error; nothing was sent to the seller in that case
   */
  async createPaymentPayload(
    x402Version: number,
    requirements: Requirements,
  ): Promise<{ x402Version: number; payload: Record<string, unknown> }> {
    const asked = readUptoTerms(requirements);
    this.#refuseWhatIsNotAllowed(asked);
    const { contract, token, to, ceiling, maxTimeoutSeconds } = asked;
    const ledgers = Math.ceil(maxTimeoutSeconds / SECONDS_PER_LEDGER) + MARGIN_LEDGERS;
    // One below the limit, because the facilitator might check it one ledger earlier.
    const most = MAX_UPTO_LEDGERS - 1;
    const terms: UptoTerms = {
      ...{ contract, token, to },
      from: this.#signer.address,
      maxAmount: ceiling,
      expirationLedger: (await this.#rpc.latestLedger()) + Math.min(ledgers, most),
      nonce: this.#platform.randomBytes(32),
    };
    return { x402Version, payload: { transaction: await this.#transaction(terms) } };
  }

  #refuseWhatIsNotAllowed({ ceiling, contract }: AskedTerms): void {
    const { maxAmount, contracts } = this.#options;
    if (maxAmount !== undefined && ceiling > maxAmount) {
      throw new MaxAmountExceededError(ceiling, maxAmount);
    }
    if (contracts !== undefined && !contracts.includes(contract)) {
      throw new InvalidRequirementsError(`The settlement contract ${contract} is not trusted.`);
    }
  }

  /** Returns the unsigned envelope with the signed authorization, simulated at the ceiling. */
  async #transaction(terms: UptoTerms): Promise<string> {
    const authorized = uptoAuthorizedInvocation(terms);
    const { function: root, subInvocations: below } = authorized;
    if (root.type !== 'sorobanAuthorizedFunctionTypeContractFn') throw new TypeError('no call');
    const entry = await signAuthorization(
      {
        kind: 'address',
        nonce: freshNonce(this.#platform),
        expirationLedger: terms.expirationLedger,
        invocation: root.contractFn,
        below,
      },
      this.#signer,
      TESTNET_PASSPHRASE,
      this.#platform,
    );
    const draft = {
      source: NULL_ACCOUNT,
      invocation: uptoInvocation(terms, terms.maxAmount),
      authorizations: [entry],
      now: Date.now() / 1000,
    };
    const { transactionData, minResourceFee } = succeed(
      await this.#rpc.simulate(transferEnvelope(draft)),
    );
    const data = decode(() => xdr.SorobanTransactionData.fromXdr(transactionData, 'base64'));
    return transferEnvelope({ ...draft, resources: { data, fee: BigInt(minResourceFee) } });
  }
}
