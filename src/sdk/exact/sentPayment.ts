/** A payment that was sent to the seller, with the data to look it up. */
export interface SentPayment {
  /** Who pays (`G…` or `C…`). */
  readonly payer: string;
  /** The authorization's nonce: the ledger accepts each nonce of an account once. */
  readonly nonce: bigint;
  /** Contract of the asset (`C…`). */
  readonly asset: string;
  /** Who is paid (`G…` or `C…`). */
  readonly payTo: string;
  /** Atomic units. */
  readonly amount: bigint;
  /** Latest ledger when it was signed. It cannot have settled earlier. */
  readonly signedLedger: number;
  /** Last ledger in which it can settle. */
  readonly expirationLedger: number;
}
