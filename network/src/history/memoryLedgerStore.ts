import type { LedgerStore } from './ledgerStore.ts';

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
