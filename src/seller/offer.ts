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

/** What a seller says on the page for people, and how it looks. Shown as text, never read as HTML. */
export interface PageLook {
  /** Heading. Default: the description of what is sold, else the name of the service. */
  readonly title?: string | undefined;
  /** A few words of the seller's below it. */
  readonly note?: string | undefined;
  /** Colour of the button, as `#rrggbb`. Words on it are black or white, whichever can be read. */
  readonly accent?: string | undefined;
}

/** The page that a browser gets with a 402. */
export interface PaymentPage extends PageLook {
  /** Fresh for each answer: what the page's policy permits to run. */
  readonly nonce: string;
  /** Path below which the seller serves what pays in the page. Without it, the page says how to pay from the command line. */
  readonly base?: string | undefined;
}

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
  /** What a browser gets instead of JSON with the terms. Default: JSON for everybody. */
  readonly page?: PaymentPage | undefined;
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
