/** What may have happened to money when a failure is reported. */
export type MoneyMoved =
  /** Nothing was submitted: neither the payer nor the sponsor paid anything. */
  | 'no'
  /** The payment was made: the hash names it. */
  | 'yes'
  /** Submitted and failed on the ledger: the sponsor paid the network fee, the payer nothing. */
  | 'fees'
  /** Nobody can say for certain: look the hash up before paying again. */
  | 'unknown';

/** Statuses that a failure is answered with. */
export type HttpStatus =
  | 200
  | 400
  | 403
  | 404
  | 405
  | 408
  | 413
  | 415
  | 421
  | 429
  | 431
  | 500
  | 503;

/** One failure, as every side names it. The row's key is our own code. */
export interface ErrorRow {
  /**
   * `invalidReason` and `errorReason` on the wire. The canonical name where the canonical
   * packages have one, else the specification's, else ours (reference: divergences, rows 2 and 6).
   */
  readonly reason: string;
  /** The code of the specification's section Errors, sent as `extra.code` when there is one. */
  readonly specification: string | null;
  /**
   * What the canonical facilitator class answers to the same payload: a reason of its own,
   * or `null` when it accepts the payload or has no such state.
   */
  readonly canonical: string | null;
  /** HTTP status of the answer. Verdicts on a well-formed request are 200, as canonical. */
  readonly status: HttpStatus;
  readonly moneyMoved: MoneyMoved;
  /** One sentence that says what is wrong. */
  readonly message: string;
  /** One sentence that says what to do about it. */
  readonly fix: string;
}
