export type LedgerServiceErrorCode =
  /** The network was closed. */
  | 'STOPPED'
  /** A ledger could not be stored: the computed state and the stored one no longer agree. */
  | 'FAILED'
  /** The network already runs this protocol or a later one. */
  | 'NOT_AN_UPGRADE'
  /** A transaction left the queue without being in a ledger. */
  | 'DROPPED';

/** Why a network refused a request. */
export class LedgerServiceError extends Error {
  override readonly name = 'LedgerServiceError';
  readonly code: LedgerServiceErrorCode;

  constructor(code: LedgerServiceErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
