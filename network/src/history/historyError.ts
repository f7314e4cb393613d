export type HistoryErrorCode =
  /** The stored bytes of a ledger are not a ledger. */
  'UNREADABLE';

/** An error in the record of closed ledgers. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
  readonly code: HistoryErrorCode;

  constructor(code: HistoryErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
