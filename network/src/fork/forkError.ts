export type ForkErrorCode =
  /** The other network does not answer, or its answer is not valid Stellar RPC. */
  | 'UNREACHABLE'
  /** It runs a protocol that is not supported here. */
  | 'OTHER_PROTOCOL'
  /** The options name another passphrase, or a folder although a fork is kept in memory. */
  | 'BAD_OPTIONS'
  /** An entry was changed after the requested ledger, and Stellar RPC has no older version. */
  | 'CHANGED_SINCE';

/** Why a network cannot be forked or read any further. The message says what to do. */
export class ForkError extends Error {
  override readonly name = 'ForkError';
  readonly code: ForkErrorCode;

  constructor(code: ForkErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
