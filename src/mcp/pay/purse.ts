/**
 * Pays for an agent on behalf of the tools. The command line creates one (`src/cli/purse`), so that the
 * server with only the read-only tools contains nothing that signs.
 */
export interface Purse {
  /**
   * Requests a resource and pays its price, once. Refusals and doubtful outcomes are results. While the answer to an earlier call
   * with the same arguments is owed, that answer is the result, and nothing is paid.
   */
  call(request: PurseRequest, caller: Caller): Promise<CallResult>;
  budget(): Promise<Budget>;
  /** Payments that were sent, newest first. Undecided ones are looked up. */
  receipts(page: { readonly limit: number; readonly offset: number }): Promise<ReceiptPage>;
  /** Resolves when no call is under way. */
  idle(): Promise<void>;
}

export interface PurseRequest {
  readonly url: string;
  /** A tool that the MCP server at `url` sells; `undefined` for a resource over HTTP. */
  readonly tool: { readonly name: string; readonly arguments: object } | undefined;
  readonly method: string | undefined;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** Decimal USDC. */
  readonly maxAmount: string;
}

/** How far a call has come: the seller was asked for the resource, or was sent a payment. */
export type CallStep = 'asking' | 'paying';

/** Who made a call. */
export interface Caller {
  readonly consent: Consent;
  /** Cancels the call until a payment was sent. After that, the result is kept for the next call with the same arguments. */
  readonly signal: AbortSignal;
  onStep(step: CallStep): void;
}

/** A tool at an MCP server over Streamable HTTP. */
export interface SoldTool {
  readonly url: URL;
  readonly name: string;
  readonly arguments: object;
  readonly headers: Headers;
}

/** A connection to a seller, over HTTP or MCP. */
export interface Exchange {
  /**
   * Sends the call once, with the headers of a payment or without one, and follows no redirect. The response of
   * a tool has terms, settlement and result in the same places as over HTTP, and a status that follows from the result.
   */
  send(
    payment: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Response>;
  close(): Promise<void>;
}

/** The question to a person before a payment above the threshold. Amounts are decimal USDC. */
export interface Question {
  readonly method: string;
  readonly url: string;
  readonly amount: string;
  readonly payTo: string;
  /** The remaining budget on the ledger; `undefined` without a budget. */
  readonly left: string | undefined;
}

/** `unavailable`: the client cannot ask. */
export type Consent = (question: Question) => Promise<'accepted' | 'declined' | 'unavailable'>;

/**
 * What the ledger, not the seller, shows about a payment that was sent. `not_yet`: nothing was paid so far, and it can still
 * settle. `not_settled`: proved that it never can.
 */
export type Outcome = 'settled' | 'not_yet' | 'unknown' | 'not_settled';

/** A payment that was sent. Nothing in it is secret. */
export interface Receipt {
  /** When it was sent (ISO 8601). */
  readonly time: string;
  /** HTTP method, or `tool` and the name of an MCP tool. */
  readonly method: string;
  /** With its query. */
  readonly url: string;
  /** Decimal USDC. */
  readonly amount: string;
  readonly payer: string;
  readonly payTo: string;
  readonly outcome: Outcome;
  /** Hash on the ledger; for an undecided payment, the hash that the seller named; `null` if neither is known. */
  readonly transaction: string | null;
  /** Last ledger in which it can settle. */
  readonly expirationLedger: number;
  /** The seller's resource was handed to a client that still waited for it. */
  readonly delivered: boolean;
}

export interface ReceiptPage {
  readonly receipts: readonly Receipt[];
  readonly total: number;
}

/** A seller's response body, limited in size. */
export interface Body {
  /** Media type; empty if the seller does not name one. */
  readonly type: string;
  /** Bytes that were read. */
  readonly bytes: number;
  /** Decoded by its charset; of a tool's result as JSON. `null` if it is not text. */
  readonly text: string | null;
  /** What is not text, in the seller's order. */
  readonly media: readonly Media[];
  /** File with the whole body, in the folder that the user named; `null` if none was written. */
  readonly file: string | null;
  /** The body was longer than what was read, or the connection broke. */
  readonly cut: 'no' | 'too_long' | 'broken';
}

/** A part of a body that is not text. */
export interface Media {
  /** `resource`: of a type that models do not read. */
  readonly kind: 'image' | 'audio' | 'resource';
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** Records what became of an answer to a caller. */
export interface Handover {
  /** The client took the answer: it still waited when the answer was written. */
  taken(): Promise<void>;
  /** The client had stopped waiting before it read the answer. */
  lost(): Promise<void>;
}

/** What a seller signed for a payment, after it was verified without asking anybody. */
export interface SignedWords {
  /** For `svc-x402 receipt`; `null` if it could not be stored. */
  readonly id: string | null;
  readonly verdict: 'holds' | 'open' | 'fails';
  /** `did:key` of the key that signed; `null` if nothing holds. */
  readonly signer: string | null;
  readonly words: string;
}

export interface CallResult {
  /**
   * `free`: answered without a price. `not_paid`: nothing was sent, or the ledger shows that the payment can
   * never settle. `not_yet`: nothing was paid so far, and the payment can still settle. `unknown`: the ledger was not readable.
   */
  readonly outcome: 'free' | 'settled' | 'not_yet' | 'unknown' | 'not_paid';
  /** Nothing was paid for this call: the answer belongs to an earlier payment for the same arguments. */
  readonly alreadyPaid: boolean;
  /** Why it failed; `null` if it did not. */
  readonly code: string | null;
  /** What happened to the money, as text. Text from others is quoted in it. */
  readonly message: string;
  /** HTTP status of the last answer; `null` without one, and for a tool. */
  readonly status: number | null;
  readonly body: Body | null;
  /** The seller's redirect target, which was not followed. */
  readonly redirect: string | null;
  readonly receipt: Receipt | null;
  /** What the seller signed; `undefined` if nothing. It says nothing of the money. */
  readonly signed?: SignedWords | undefined;
  /** `undefined` if no payment was sent: then nothing is owed to the caller. */
  readonly handover?: Handover | undefined;
}

/** A limit enforced on the ledger. Amounts are decimal USDC. */
export interface LedgerLimit {
  readonly policy: string;
  readonly limit: string;
  readonly spent: string;
  readonly left: string;
  readonly windowSeconds: number;
  readonly sliding: boolean;
  /** `null`: any number. */
  readonly maxPayments: number | null;
  readonly paymentsLeft: number | null;
  /** When more becomes available (ISO 8601); `null` while nothing is spent. */
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
  /** Sent, and not decided yet. */
  readonly undecided: string;
}

export interface Budget {
  /** The account that pays. */
  readonly payer: string;
  /** The key that signs (`G…`). */
  readonly key: string;
  readonly state: 'limited' | 'unlimited' | 'revoked' | 'expired' | 'other_assets';
  readonly limits: readonly LedgerLimit[];
  /** The account's balance in USDC; `null` if it cannot be read. */
  readonly balance: string | null;
  /** Maximum in 24 hours, which this process counts from its receipts; `null` if it does not count. */
  readonly ceiling: { readonly limit: string; readonly left: string } | null;
  /** Payments above this amount need a person's approval. */
  readonly askAbove: string;
  readonly sellers: readonly SellerSum[];
}
