export type HistoryErrorCode =
  /** What is kept of a ledger is not a ledger. */
  'UNREADABLE';

/** A fault of the record of closed ledgers. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
  readonly code: HistoryErrorCode;

  constructor(code: HistoryErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
