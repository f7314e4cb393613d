/** What may have happened to the payer's money when an error is raised. */
export type MoneyMoved =
  /** Nothing was submitted: paying again cannot pay twice. */
  | 'no'
  /** The payment settled. Never pay again for this request. */
  | 'yes'
  /** It is not known: look the settlement up before paying again. */
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
  readonly moneyMoved: MoneyMoved = 'no';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
