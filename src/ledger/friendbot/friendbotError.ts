export type FriendbotErrorCode =
  /** No address was given, or it is not the address of an account. */
  | 'BAD_ADDRESS'
  /** The amount of USDC is not one that is given. */
  | 'BAD_AMOUNT'
  /** The account has no trustline to USDC. */
  | 'NO_TRUSTLINE'
  /** The address has the starting balance already. */
  | 'ALREADY_EXISTS'
  /** The network did not take the transaction. */
  | 'NOT_FUNDED';

/** Why an account got nothing. */
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
