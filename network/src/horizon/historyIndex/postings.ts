/** Ledgers in ascending order, collected from the middle outwards. */
export class Postings {
  /** Ledgers found going backward, newest first. */
  readonly #older: number[] = [];
  /** Ledgers found going forward, oldest first; the first `#dropped` of them no longer count. */
  #newer: number[] = [];
  #dropped = 0;

  get empty(): boolean {
    return this.#older.length === 0 && this.#newer.length === this.#dropped;
  }

  /** Adds a ledger after all others. */
  append(ledger: number): void {
    this.#newer.push(ledger);
  }

  /** Adds a ledger before all others. */
  prepend(ledger: number): void {
    this.#older.push(ledger);
  }

  /** Removes the ledgers before this one. */
  trim(first: number): void {
    while ((this.#older.at(-1) ?? first) < first) this.#older.pop();
    while ((this.#newer[this.#dropped] ?? first) < first) this.#dropped += 1;
    if (this.#dropped * 2 < this.#newer.length) return;
    this.#newer = this.#newer.slice(this.#dropped);
    this.#dropped = 0;
  }

  /** The ledgers from one to another, inclusive, oldest first. */
  between(from: number, to: number): number[] {
    const isWithin = (ledger: number): boolean => ledger >= from && ledger <= to;
    const older = this.#older.filter(isWithin).reverse();
    return [...older, ...this.#newer.slice(this.#dropped).filter(isWithin)];
  }
}
