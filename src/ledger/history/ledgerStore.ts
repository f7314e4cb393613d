/** Where the bytes of closed ledgers are kept: `LedgerCloseMeta` XDR, one a sequence, without gaps. */
export interface LedgerStore {
  /** Sequence of the oldest ledger kept; above `last` when there is none. */
  readonly first: number;
  readonly last: number;
  /** Bytes of all ledgers kept. */
  readonly size: number;
  /** Keeps the ledger after `last`. When it returns, the ledger survives the end of the process. */
  append(ledger: Uint8Array): void;
  read(sequence: number): Uint8Array | undefined;
  /**
   * Forgets all ledgers: the next one to be kept has this sequence, which no other kept one had. The state is by then that
   * before it.
   */
  beginAt(first: number): void;
  /** May forget ledgers before this sequence. */
  trim(first: number): void;
}
