import type { AuthorizationFate } from '../../protocol/fate/index.ts';
import type { SentPayment } from './sentPayment.ts';

/** What might have happened to the payer's money when an error is raised. */
export type MoneyMoved =
  /** Nothing was sent, or the ledger shows that the payment can never settle: paying again cannot pay twice. */
  | 'no'
  /** The payment settled. Never pay again for this request. */
  | 'yes'
  /**
   * Sent and not settled so far, but it can still settle, until ledger `fate.until`. Present the same payment again; another
   * one before that ledger has closed could be paid besides it.
   */
  | 'not_yet'
  /** Sent, and the ledger does not show the outcome: look up the payment before paying again. */
  | 'unknown';

/** Codes of all errors that can end a payment. They are stable. */
export type X402ErrorCode =
  | 'max_amount_exceeded'
  | 'disallowed_asset'
  | 'no_usable_payment_option'
  | 'invalid_requirements'
  | 'payment_rejected'
  | 'not_configured'
  | 'cannot_pay'
  | 'not_signed'
  | 'settled_without_resource'
  | 'outcome_unknown'
  | 'rpc_failed';

/** What is known about a payment that was sent, for errors. */
export interface PaymentEvidence<M extends MoneyMoved = MoneyMoved> {
  readonly moneyMoved?: M;
  readonly payment?: SentPayment | undefined;
  readonly fate?: AuthorizationFate | undefined;
}

/** Base class of payment errors. Distinguish them by `code`. */
export abstract class X402Error extends Error {
  abstract readonly code: X402ErrorCode;
  /** That of the class, which each class defines explicitly, because a minified bundle does not keep names. */
  override readonly name: string;
  readonly moneyMoved: MoneyMoved;
  /** The payment that was sent; `undefined` if none was. `lookUpPayment` returns its outcome. */
  readonly payment: SentPayment | undefined;
  /**
   * What the ledger showed about the payment when the error was raised, from which `moneyMoved` is derived; `undefined` if none
   * was sent. By `state`: `paid` has the `hash` and the `ledger`, `open` the last ledger in which it can settle (`until`),
   * `void` the proof that it never can (`evidence`), `unknown` the reason (`because`).
   */
  readonly fate: AuthorizationFate | undefined;

  constructor(message: string, options: ErrorOptions & PaymentEvidence = {}) {
    super(message, options);
    this.name = new.target.name;
    this.moneyMoved = options.moneyMoved ?? 'no';
    this.payment = options.payment;
    this.fate = options.fate;
  }
}
