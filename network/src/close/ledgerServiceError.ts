export type LedgerServiceErrorCode =
  /** The network was closed. */
  | 'STOPPED'
  /** A ledger could not be stored. The network is still at the ledger before it, and the next one may be stored. */
  | 'NOT_STORED'
  /** A ledger could not be stored, nor its changes be taken back: the state and the stored history no longer agree. */
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
