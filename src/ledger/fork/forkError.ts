export type ForkErrorCode =
  /** The other network does not answer, or answers something else than Stellar RPC. */
  | 'UNREACHABLE'
  /** It runs another protocol than the host here. */
  | 'OTHER_PROTOCOL'
  /** The options name another passphrase, or a folder: a fork is kept in memory. */
  | 'BAD_OPTIONS'
  /** An entry was changed after the requested ledger, and RPC has no older version. */
  | 'CHANGED_SINCE';

/** Why a network cannot be forked, or not read further. The message names a remedy. */
export class ForkError extends Error {
  override readonly name = 'ForkError';
  readonly code: ForkErrorCode;

  constructor(code: ForkErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
