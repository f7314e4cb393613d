import type { AtomicAmount, StellarAddress } from '../protocol/index.ts';

/** What the seller says about the resource; buyers see it, and the catalog lists it. */
export interface OfferedResource {
  /** Absolute, as the buyer asked for it. */
  readonly url: string;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly serviceName?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** When the money is taken: once the response is there and kept, or before the handler works. */
export type SettleWhen = 'after' | 'before';

/** The seller's terms for one request: what is sold, at which price, to whom the money goes. */
export interface Offer {
  /** A CAIP-2 id, such as `stellar:testnet`. */
  readonly network: string;
  /** Contract of the asset. */
  readonly asset: string;
  readonly amount: AtomicAmount;
  readonly payTo: StellarAddress;
  /** How long a payment stays valid after it was signed. */
  readonly maxTimeoutSeconds: number;
  /** What the facilitator adds to terms of scheme `exact` (`/supported`). */
  readonly extra: Readonly<Record<string, unknown>>;
  readonly resource: OfferedResource;
  /** Extensions of the challenge, such as `bazaar`. */
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly settle: SettleWhen;
}

/** A request, as far as a sale depends on it. */
export interface SellerRequest {
  readonly method: string;
  /** Canonical path and query. A payment for one target buys no other one. */
  readonly target: string;
  /** Digest of the body; the same payment with another body is another request. Empty without a body. */
  readonly bodyDigest: string;
  /** @param name in any letter case */
  header(name: string): string | undefined;
}

/** An answer of the seller itself. */
export interface SellerAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}
