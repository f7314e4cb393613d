/** A payment whose signed bytes have left for the seller: what it takes to look it up. */
export interface SentPayment {
  readonly payer: string;
  /** The authorization's nonce: the ledger takes each nonce of an account once. */
  readonly nonce: bigint;
  readonly asset: string;
  readonly payTo: string;
  /** Atomic units. */
  readonly amount: bigint;
  /** Latest ledger when it was signed. It cannot have settled before. */
  readonly signedLedger: number;
  /** Last ledger in which it can settle. */
  readonly expirationLedger: number;
}
