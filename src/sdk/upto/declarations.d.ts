/** Scheme `upto` (experimental) for `@x402/core`: what the package `svc-x402/upto` exports. */

/** A CAIP-2 network id. */
export type Network = `${string}:${string}`;

/** Terms of one way to pay. */
export interface Requirements {
  scheme: string;
  network: Network;
  asset: string;
  amount: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra: Record<string, unknown>;
}

/** What a facilitator says of one scheme in `/supported`. */
export interface SupportedKind {
  x402Version: number;
  scheme: string;
  network: Network;
  extra?: Record<string, unknown>;
}

/** An amount of an asset, in atomic units. */
export interface AssetAmount {
  asset: string;
  amount: string;
  extra?: Record<string, unknown>;
}

/** A price as sellers write it: dollars, or an amount of an asset. */
export type Price = string | number | AssetAmount;

/** What is to be signed. */
export interface SigningRequest {
  /** SHA-256 of the preimage: what the ledger checks the signature against. */
  readonly hash: Uint8Array;
  /** XDR of the `HashIDPreimage`. */
  readonly preimage: Uint8Array;
  /** Last ledger in which the signature holds. */
  readonly expirationLedger: number;
}

/** A signer of a classic account, as `createEd25519Signer` of `@x402/stellar` and wallets give one. */
export interface WalletSigner {
  readonly address: string;
  signAuthEntry(
    preimage: string,
    options?: { networkPassphrase?: string; address?: string },
  ): Promise<{ signedAuthEntry: string; error?: { message: string } | undefined }>;
}

/** An account that makes its own signature. */
export interface AccountSigner {
  readonly address: string;
  /** @returns the `SCVal` that its `__check_auth` takes, as XDR in base64 */
  sign(request: SigningRequest): Promise<string>;
}

export type UptoSigner = WalletSigner | AccountSigner;

/** A signer of a classic account by a function that makes Ed25519 signatures. */
export function accountSigner(
  address: string,
  signHash: (hash: Uint8Array) => Uint8Array | Promise<Uint8Array>,
): WalletSigner | AccountSigner;

/** What can end a payment before it is sent. */
export abstract class X402Error extends Error {
  abstract readonly code: string;
  readonly moneyMoved: 'no' | 'yes' | 'unknown';
}

export interface UptoClientOptions {
  /** Stellar RPC, over http or https. */
  readonly rpcUrl: string;
  /** The highest ceiling that is signed, in atomic units; any when not given. */
  readonly maxAmount?: bigint;
  /** The settlement contracts that are trusted; whichever the seller names when not given. */
  readonly contracts?: readonly string[];
  readonly fetch?: typeof globalThis.fetch;
}

/** The buyer's side, for `x402Client.register('stellar:testnet', …)`. */
export class UptoStellarClient {
  readonly scheme: 'upto';
  constructor(signer: UptoSigner, options: UptoClientOptions);
  findDefaultAsset(
    asset: string,
    network: Network,
  ): { readonly asset: string; readonly decimals: number; readonly symbol: string } | undefined;
  createPaymentPayload(
    x402Version: number,
    requirements: Requirements,
  ): Promise<{ x402Version: number; payload: Record<string, unknown> }>;
}

export interface UptoServerOptions {
  /** The settlement contract that buyers sign for; the facilitator's when not given. */
  readonly contract?: string;
}

/** The seller's side, for `x402ResourceServer.register('stellar:testnet', …)`. */
export class UptoStellarServer {
  readonly scheme: 'upto';
  readonly defaultAssetTransferMethod: 'default';
  readonly paymentFlows: { default: { default: 'authorization'; supported: 'authorization'[] } };
  constructor(options?: UptoServerOptions);
  parsePrice(price: Price, network: Network): Promise<AssetAmount>;
  getAssetDecimals(asset: string, network: Network): number;
  enhancePaymentRequirements(
    requirements: Requirements,
    kind: SupportedKind,
    extensions: string[],
  ): Promise<Requirements>;
  validateFacilitatorSupport(network: Network, kind: SupportedKind): string | undefined;
}
