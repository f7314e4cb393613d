/** Ledgers in ascending order, found from the middle to both sides. */
export class Postings {
  /** Those found going back, newest first. */
  readonly #older: number[] = [];
  /** Those found going forward, oldest first; the first `#dropped` of them are forgotten. */
  #newer: number[] = [];
  #dropped = 0;

  get empty(): boolean {
    return this.#older.length === 0 && this.#newer.length === this.#dropped;
  }

  /** A ledger after all others. */
  append(ledger: number): void {
    this.#newer.push(ledger);
  }

  /** A ledger before all others. */
  prepend(ledger: number): void {
    this.#older.push(ledger);
  }

  /** Forgets the ledgers before this one. */
  trim(first: number): void {
    while ((this.#older.at(-1) ?? first) < first) this.#older.pop();
    while ((this.#newer[this.#dropped] ?? first) < first) this.#dropped += 1;
    if (this.#dropped * 2 < this.#newer.length) return;
    this.#newer = this.#newer.slice(this.#dropped);
    this.#dropped = 0;
  }

  /** The ledgers from one to another, both included, oldest first. */
  between(from: number, to: number): number[] {
    const isWithin = (ledger: number): boolean => ledger >= from && ledger <= to;
    const older = this.#older.filter(isWithin).reverse();
    return [...older, ...this.#newer.slice(this.#dropped).filter(isWithin)];
  }
}
