import type { AtomicAmount } from '../protocol/index.ts';
import type { Offer, SellerRequest } from './offer.ts';

/** A call of the facilitator; both endpoints get the same body. */
export interface FacilitatorCall {
  readonly path: '/verify' | '/settle';
  readonly body: Readonly<Record<string, unknown>>;
}

/** The facilitator's answer. `undefined` if there was none, so that nothing is known of the call. */
export type FacilitatorAnswer = { readonly status: number; readonly body: unknown } | undefined;

/** A payment that came with a request. */
export interface PresentedPayment {
  /** Identifies the authorization: the same key is the same money. */
  readonly key: string;
  /** Who pays, as the payment itself names them. Believe it only after it was verified. */
  readonly payer: string;
  readonly amount: AtomicAmount;
  /** What the facilitator gets, for both of its endpoints. */
  readonly facilitatorBody: Readonly<Record<string, unknown>>;
  /** Digest-like text of what was signed, for comparison with an earlier request under the same key. */
  readonly fingerprint: string;
  /**
   * Why no new sale begins with this payment, such as `payment-expired`. One that began with it before continues: its response may
   * have been lost.
   */
  readonly tooLate?: string | undefined;
}

/** The result of reading a payment from a request. */
export type ReadPayment =
  | { readonly ok: true; readonly payment: PresentedPayment }
  /** @property reason a code of ours or the protocol's; money: nothing was handed out */
  | { readonly ok: false; readonly reason: string };

/** A facilitator's judgement before the sale. */
export type Verdict =
  | { readonly valid: true; readonly payer: string }
  | { readonly valid: false; readonly reason: string; readonly message: string }
  /** The facilitator could not judge: neither served nor refused for good. */
  | { readonly valid: 'unknown'; readonly message: string };

/** What is known of a settlement. */
export type SettlementOutcome =
  /** @property receipt the facilitator's response, which the buyer gets; `transaction` is the hash */
  | { readonly paid: 'yes'; readonly receipt: Readonly<Record<string, unknown>> }
  /** It never can pay any more, as far as the facilitator proved. */
  | { readonly paid: 'no'; readonly reason: string; readonly receipt: unknown }
  /** Neither paid nor void yet, or nobody knows: the same payment may be presented again. */
  | { readonly paid: 'unknown'; readonly reason: string; readonly receipt: unknown | undefined };

/** The part of a challenge that one protocol contributes. */
export interface ChallengePart {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Members of the body, which all protocols share. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Media type of the body, if the protocol has one of its own. Default: `application/json`. */
  readonly contentType?: string;
  /** Default: 402. */
  readonly status?: number;
}

/** The step at which a payment was refused: when it was read, verified or settled. */
export type RefusedAt = 'reading' | 'verifying' | 'settling';

/**
 * One payment protocol, as a seller speaks it. Pure: what a facilitator answers comes in as an argument. Each protocol reads and
 * writes its own headers; the order of the steps, and what is answered when, is the engine's.
 */
export interface SellerProtocol {
  /** As `X402-Method` names it to the upstream. */
  readonly name: string;
  /** Request headers that are its own, in lower case: a seller never passes them on. */
  readonly requestHeaders: readonly string[];
  /** Response headers that it writes: browsers may read them. */
  readonly responseHeaders: readonly string[];
  /** Request headers on which its answers depend. Default: the first of `requestHeaders`. */
  readonly vary?: readonly string[];
  /** Whether these headers carry a payment. Default: whether one of `requestHeaders` is there. */
  carriesPayment?(header: SellerRequest['header']): boolean;
  /**
   * Whether a client takes this protocol's terms: `alone` if it could not read those of others. Default: `also`. Without terms
   * that a client takes, it gets all of them.
   */
  negotiate?(request: SellerRequest): 'alone' | 'also' | 'never';
  /** Asks for the price. @param error why a payment in the request was refused */
  challenge(
    offer: Offer,
    request: SellerRequest,
    error: string | undefined,
    at?: RefusedAt,
  ): ChallengePart;
  /** Reads the payment of a request; `undefined` if it carries none of this protocol. */
  read(request: SellerRequest, offer: Offer): ReadPayment | undefined;
  verification(payment: PresentedPayment): FacilitatorCall;
  readVerdict(answer: FacilitatorAnswer, payment: PresentedPayment): Verdict;
  settlement(payment: PresentedPayment): FacilitatorCall;
  /** @param again whether this sale asked for its settlement before, and got no answer that decided it */
  readOutcome(answer: FacilitatorAnswer, again: boolean): SettlementOutcome;
  /**
   * Headers of the response to a payment that settled, or failed to.
   * @param status of the response
   * @param sale what was sold and to whom, if the response is the one that was paid for
   */
  receipt(
    receipt: unknown,
    status: number,
    sale?: { readonly offer: Offer; readonly payer: string },
  ): readonly (readonly [name: string, value: string])[];
}
