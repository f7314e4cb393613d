/** What may have happened to the money when a failure is reported. */
export type MoneyMoved =
  /** Proved: the authorization has not paid and never can, or nothing that can pay was handed out. */
  | 'no'
  /** The payment was made; the hash identifies it. */
  | 'yes'
  /** As `no`, and a transaction failed on the ledger: the sponsor paid the network fee. */
  | 'fees'
  /** Nothing was paid so far, but the signed authorization can still pay: present the same payload again. */
  | 'not_yet'
  /** Not known for certain: look up the hash before paying again. */
  | 'unknown';

/** HTTP statuses of failures. */
export type HttpStatus =
  | 200
  | 400
  | 401
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

/** One failure with its names everywhere. The row's key is our own code. */
export interface ErrorRow {
  /**
   * `invalidReason` and `errorReason` on the wire. The canonical packages' name if they have one,
   * otherwise the specification's, otherwise ours (reference: divergences, rows 2 and 6).
   */
  readonly reason: string;
  /** The code in the specification's section Errors, sent as `extra.code` if there is one. */
  readonly specification: string | null;
  /**
   * The reason that the canonical facilitator class returns for the same payload;
   * `null` if it accepts the payload or has no such state.
   */
  readonly canonical: string | null;
  /** HTTP status of the response. Verdicts on a well-formed request are 200, as in the canonical packages. */
  readonly status: HttpStatus;
  readonly moneyMoved: MoneyMoved;
  /** One sentence that describes the problem. */
  readonly message: string;
  /** One sentence that describes the fix. */
  readonly fix: string;
}
