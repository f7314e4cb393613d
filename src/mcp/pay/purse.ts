/**
 * What pays for an agent, as the tools need it. The command line makes one (`src/cli/purse`), so that the
 * server of the read-only tools carries nothing that signs.
 */
export interface Purse {
  /** Requests a resource and pays its price, once. Refusals and doubtful outcomes are results. */
  call(request: PurseRequest, consent: Consent, signal: AbortSignal): Promise<CallResult>;
  budget(): Promise<Budget>;
  /** Payments that left, newest first. Those that were undecided are looked up. */
  receipts(page: { readonly limit: number; readonly offset: number }): Promise<ReceiptPage>;
}

export interface PurseRequest {
  readonly url: string;
  readonly method: string | undefined;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Decimal USDC. */
  readonly maxAmount: string;
}

/** What a person is asked before a payment above the threshold. Amounts are decimal USDC. */
export interface Question {
  readonly method: string;
  readonly url: string;
  readonly amount: string;
  readonly payTo: string;
  /** What the ledger leaves of the budget; `undefined` without one. */
  readonly left: string | undefined;
}

/** `unavailable`: the client cannot ask. */
export type Consent = (question: Question) => Promise<'accepted' | 'declined' | 'unavailable'>;

/** What is known of a payment that left: by the ledger, not by the seller. */
export type Outcome = 'settled' | 'unknown' | 'not_settled';

/** A payment that left. Nothing in it is secret. */
export interface Receipt {
  /** When it left (ISO 8601). */
  readonly time: string;
  readonly method: string;
  /** Without its query, which may hold what is secret. */
  readonly url: string;
  /** Decimal USDC. */
  readonly amount: string;
  readonly payer: string;
  readonly payTo: string;
  readonly outcome: Outcome;
  /** Hash on the ledger; of an undecided payment what the seller names; `null` where neither is known. */
  readonly transaction: string | null;
  /** Last ledger in which it can settle. */
  readonly expirationLedger: number;
  /** The seller gave the resource. */
  readonly delivered: boolean;
}

export interface ReceiptPage {
  readonly receipts: readonly Receipt[];
  readonly total: number;
}

/** What a seller answered, bounded. */
export interface Body {
  /** Media type; empty where the seller names none. */
  readonly type: string;
  /** Bytes that were read. */
  readonly bytes: number;
  /** `null`: it is not text. */
  readonly text: string | null;
  /** More came than was read, or the connection broke in the middle. */
  readonly cut: 'no' | 'too_long' | 'broken';
}

export interface CallResult {
  /**
   * `free`: answered, and nothing was to be paid. `not_paid`: nothing left, or the ledger shows that it can
   * never settle. `unknown`: the ledger has not decided.
   */
  readonly outcome: 'free' | 'settled' | 'unknown' | 'not_paid';
  /** Why it failed; `null` when it did not. */
  readonly code: string | null;
  /** What happened to the money, in words. Strangers' words in it are quoted. */
  readonly message: string;
  /** HTTP status of the last answer; `null` without one. */
  readonly status: number | null;
  readonly body: Body | null;
  /** Where the seller sends the caller; it was not followed. */
  readonly redirect: string | null;
  readonly receipt: Receipt | null;
}

/** A limit that the ledger holds. Amounts are decimal USDC. */
export interface LedgerLimit {
  readonly policy: string;
  readonly limit: string;
  readonly spent: string;
  readonly left: string;
  readonly windowSeconds: number;
  /** ISO 8601; `null` while nothing is spent. */
  readonly resetsAt: string | null;
  readonly perPayment: string | null;
  /** `null`: anybody. */
  readonly recipients: readonly string[] | null;
}

export interface SellerSum {
  /** Origin of its URLs. */
  readonly seller: string;
  readonly payTo: string;
  readonly payments: number;
  /** Settled on the ledger. */
  readonly spent: string;
  /** Left, and not decided yet. */
  readonly undecided: string;
}

export interface Budget {
  /** The account that pays. */
  readonly payer: string;
  /** The key that signs (`G…`). */
  readonly key: string;
  readonly state: 'limited' | 'unlimited' | 'revoked' | 'expired' | 'other_assets';
  readonly limits: readonly LedgerLimit[];
  /** USDC that the account holds; `null` where it cannot be read. */
  readonly balance: string | null;
  /** Most in 24 hours, counted by this process from its receipts; `null` where it counts nothing. */
  readonly ceiling: { readonly limit: string; readonly left: string } | null;
  /** Above this a person is asked. */
  readonly askAbove: string;
  readonly sellers: readonly SellerSum[];
}
