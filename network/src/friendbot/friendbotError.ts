export type FriendbotErrorCode =
  /** No address was given, or it is not the address of an account. */
  | 'BAD_ADDRESS'
  /** The amount of USDC is invalid. */
  | 'BAD_AMOUNT'
  /** The account has no trustline to USDC. */
  | 'NO_TRUSTLINE'
  /** The address already has the starting balance. */
  | 'ALREADY_EXISTS'
  /** The network did not accept the transaction. */
  | 'NOT_FUNDED';

/** Why an account was not funded. */
export class FriendbotError extends Error {
  override readonly name = 'FriendbotError';
  readonly code: FriendbotErrorCode;
  readonly detail: string;

  constructor(code: FriendbotErrorCode, detail: string) {
    super(detail);
    this.code = code;
    this.detail = detail;
  }
}
