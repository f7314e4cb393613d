export type LedgerServiceErrorCode =
  /** The network was closed. */
  | 'STOPPED'
  /** A ledger could not be stored: what was computed and what is on disk no longer agree. */
  | 'FAILED';

/** Why a network does nothing any more. */
export class LedgerServiceError extends Error {
  override readonly name = 'LedgerServiceError';
  readonly code: LedgerServiceErrorCode;

  constructor(code: LedgerServiceErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
