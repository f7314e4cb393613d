/** Stores the bytes of closed ledgers: one `LedgerCloseMeta` XDR per sequence, without gaps. */
export interface LedgerStore {
  /** Sequence of the oldest stored ledger; above `last` if there is none. */
  readonly first: number;
  readonly last: number;
  /** Total size of all stored ledgers in bytes. */
  readonly size: number;
  /** Stores the ledger after `last`. Once it returns, the ledger survives the end of the process. */
  append(ledger: Uint8Array): void;
  read(sequence: number): Uint8Array | undefined;
  /**
   * Deletes all ledgers: the next one to be stored has this sequence, which no stored one had. By then, the state is that
   * before it.
   */
  beginAt(first: number): void;
  /** Ledgers before this sequence may be deleted. */
  trim(first: number): void;
}
