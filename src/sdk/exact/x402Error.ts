import type { SentPayment } from './sentPayment.ts';

/** What may have happened to the payer's money when an error is raised. */
export type MoneyMoved =
  /** Nothing was sent, or the ledger shows that it can never settle: paying again cannot pay twice. */
  | 'no'
  /** The payment settled. Never pay again for this request. */
  | 'yes'
  /** Signed bytes have left, and the ledger does not say yet: look the payment up before paying again. */
  | 'unknown';

/** Everything that can end a payment, each with a code that stays. */
export type X402ErrorCode =
  | 'max_amount_exceeded'
  | 'disallowed_asset'
  | 'no_usable_payment_option'
  | 'invalid_requirements'
  | 'payment_rejected'
  | 'not_configured'
  | 'cannot_pay'
  | 'settled_without_resource'
  | 'outcome_unknown'
  | 'rpc_failed';

/** Base of the errors of a payment. Tell them apart by `code`. */
export abstract class X402Error extends Error {
  abstract readonly code: X402ErrorCode;
  /** Written out in each class, which has it as a static member too: a minified bundle keeps no names. */
  abstract override readonly name: string;
  readonly moneyMoved: MoneyMoved = 'no';
  /** What was sent; `undefined` when nothing was. `lookUpPayment` says what became of it. */
  readonly payment: SentPayment | undefined = undefined;
}
