export type LedgerServiceErrorCode =
  /** The network was closed. */
  | 'STOPPED'
  /** A ledger could not be stored: the computed state and the one on disk no longer agree. */
  | 'FAILED'
  /** The network runs this protocol already, or a later one. */
  | 'NOT_AN_UPGRADE'
  /** A transaction left the queue without a ledger. */
  | 'DROPPED';

/** Why a network does not do what was requested. */
export class LedgerServiceError extends Error {
  override readonly name = 'LedgerServiceError';
  readonly code: LedgerServiceErrorCode;

  constructor(code: LedgerServiceErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
