/** A payment that was sent to the seller, with the data to look it up. */
export interface SentPayment {
  readonly payer: string;
  /** The authorization's nonce: the ledger accepts each nonce of an account once. */
  readonly nonce: bigint;
  readonly asset: string;
  readonly payTo: string;
  /** Atomic units. */
  readonly amount: bigint;
  /** Latest ledger when it was signed. It cannot have settled earlier. */
  readonly signedLedger: number;
  /** Last ledger in which it can settle. */
  readonly expirationLedger: number;
}
