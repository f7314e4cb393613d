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

/** Stores the closed ledgers of a network that is kept in memory only. */
export class MemoryLedgerStore implements LedgerStore {
  readonly #ledgers = new Map<number, Uint8Array>();
  #first: number;
  #last: number;
  #size = 0;

  /** @param first sequence of the first ledger that will be appended */
  constructor(first: number) {
    this.#first = first;
    this.#last = first - 1;
  }

  get first(): number {
    return this.#first;
  }

  get last(): number {
    return this.#last;
  }

  get size(): number {
    return this.#size;
  }

  append(ledger: Uint8Array): void {
    this.#last += 1;
    this.#ledgers.set(this.#last, ledger);
    this.#size += ledger.length;
  }

  read(sequence: number): Uint8Array | undefined {
    return this.#ledgers.get(sequence);
  }

  beginAt(first: number): void {
    this.#ledgers.clear();
    this.#first = first;
    this.#last = first - 1;
    this.#size = 0;
  }

  trim(first: number): void {
    while (this.#first < first && this.#first <= this.#last) {
      this.#size -= this.#ledgers.get(this.#first)?.length ?? 0;
      this.#ledgers.delete(this.#first);
      this.#first += 1;
    }
  }
}
