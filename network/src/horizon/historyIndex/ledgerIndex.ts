import type { LedgerHistory } from '../../history/index.ts';
import type { HistoryTransactions } from '../history/historyTransaction.ts';
import type { Order } from '../http/paging.ts';
import { SLICE, Slice } from './collectPage.ts';
import { keysOf } from './indexKeys.ts';

/** How often deleted ledgers are removed from the index, in ledgers. */
const SWEEP_EVERY = 1_024;

/**
 * Maps keys to ledgers. It is built from the first query on and reads older ledgers only as far as answers need them: without
 * queries it costs nothing, and it does not delay a restart.
 */
export class LedgerIndex {
  readonly #history: () => LedgerHistory;
  readonly #transactions: HistoryTransactions;
  #postings = new Map<string, Postings>();
  /** The indexed ledgers: from `#from` to before `#to`. */
  #from = 0;
  #to = 0;
  /** Hash of the newest indexed ledger: it distinguishes a replaced history from one that has grown. */
  #tip: string | undefined;
  #sweptAt = 0;

  constructor(history: () => LedgerHistory, transactions: HistoryTransactions) {
    this.#history = history;
    this.#transactions = transactions;
  }

  /** The ledgers in a range that might contain items for a key, in order. */
  async *ledgers(key: string, from: number, to: number, order: Order): AsyncGenerator<number> {
    await this.#catchUp();
    if (order === 'asc') {
      await this.#reachBack(from);
      yield* this.#postings.get(key)?.between(from, to) ?? [];
      return;
    }
    let upTo = to;
    for (;;) {
      const floor = Math.max(from, this.#history().oldestSequence);
      if (upTo < floor) return;
      const known = Math.max(floor, this.#from);
      if (known > upTo) {
        await this.#reachBack(floor, SLICE);
        continue;
      }
      yield* this.#postings.get(key)?.between(known, upTo).reverse() ?? [];
      upTo = known - 1;
    }
  }

  /** Indexes the ledgers that closed since the last time. */
  async #catchUp(): Promise<void> {
    const slice = new Slice();
    for (;;) {
      const history = this.#history();
      this.#forgetReplacedHistory(history);
      if (this.#to > history.latestSequence) return;
      this.#read(this.#to, 'append');
      this.#to += 1;
      this.#tip = history.ledger(this.#to - 1)?.hash;
      if (this.#to - this.#sweptAt >= SWEEP_EVERY) this.#sweep(history.oldestSequence);
      await slice.pause();
    }
  }

  /**
   * Indexes older ledgers back to `from`.
   * @param patience milliseconds after which the ledgers read so far are enough
   */
  async #reachBack(from: number, patience = Number.POSITIVE_INFINITY): Promise<void> {
    const slice = new Slice();
    const begin = performance.now();
    while (this.#from > Math.max(from, this.#history().oldestSequence)) {
      this.#from -= 1;
      this.#read(this.#from, 'prepend');
      await slice.pause();
      if (performance.now() - begin > patience) return;
    }
  }

  #read(sequence: number, how: 'append' | 'prepend'): void {
    const ledger = this.#history().ledger(sequence);
    if (ledger === undefined || ledger.transactions.length === 0) return;
    for (const key of keysOf(this.#transactions.of(ledger))) {
      let postings = this.#postings.get(key);
      if (postings === undefined) {
        postings = new Postings();
        this.#postings.set(key, postings);
      }
      postings[how](sequence);
    }
  }

  /** Starts again if history does not, or no longer, contain the newest indexed ledger. */
  #forgetReplacedHistory(history: LedgerHistory): void {
    const newest = this.#to - 1;
    const isSame = this.#tip !== undefined && history.ledger(newest)?.hash === this.#tip;
    if (isSame) return;
    this.#postings = new Map();
    this.#to = history.latestSequence + 1;
    this.#from = this.#to;
    this.#tip = history.latest.hash;
    this.#sweptAt = this.#to;
  }

  #sweep(oldest: number): void {
    this.#sweptAt = this.#to;
    for (const [key, postings] of this.#postings) {
      postings.trim(oldest);
      if (postings.empty) this.#postings.delete(key);
    }
  }
}

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
