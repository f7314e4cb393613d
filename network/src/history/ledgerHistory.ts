import { ClosedLedger } from './closedLedger.ts';
import type { ClosedTransaction } from './closedTransaction.ts';
import { HistoryError } from './historyError.ts';
import type { LedgerStore } from './ledgerStore.ts';

/** How much history is available. */
export interface Retention {
  readonly ledgers: number;
  /** Maximum total size of closed ledgers in bytes, so that large ones do not exhaust memory. */
  readonly bytes: number;
}

/** A transaction with the ledger that closed it. */
export interface FoundTransaction {
  readonly ledger: ClosedLedger;
  readonly transaction: ClosedTransaction;
}

/** The closed ledgers of a network, within its retention. */
export class LedgerHistory {
  readonly #store: LedgerStore;
  readonly #networkId: Uint8Array;
  readonly #retention: Retention;
  /** Ledgers that clients request again and again. */
  readonly #decoded = new DecodedLedgers<ClosedLedger>();
  /** By hex hash, both of fee bumps and of their inner transactions, because Stellar RPC finds both. */
  readonly #sequenceByHash = new Map<string, number>();
  /** Transaction hashes of each ledger that has any; those of ledgers before `#indexedFrom` are not known yet. */
  readonly #hashesOf = new Map<number, readonly string[]>();
  #indexedFrom: number;
  #oldest: number;

  constructor(store: LedgerStore, networkId: Uint8Array, retention: Retention) {
    this.#store = store;
    this.#networkId = networkId;
    this.#retention = retention;
    this.#oldest = Math.max(store.first, store.last - retention.ledgers + 1);
    this.#indexedFrom = store.last + 1;
  }

  /** Sequence of the newest closed ledger. */
  get latestSequence(): number {
    return this.#store.last;
  }

  /** Sequence of the oldest available ledger. */
  get oldestSequence(): number {
    return this.#oldest;
  }

  /** @throws HistoryError `UNREADABLE` before the first ledger closed */
  get latest(): ClosedLedger {
    return this.#mustRead(this.latestSequence);
  }

  /** @throws HistoryError `UNREADABLE` before the first ledger closed */
  get oldest(): ClosedLedger {
    return this.#mustRead(this.#oldest);
  }

  /** Maximum number of available ledgers. */
  get retainedLedgers(): number {
    return this.#retention.ledgers;
  }

  /** Deletes all ledgers: the next one to be added has this sequence and is the oldest. */
  beginAt(first: number): void {
    this.#store.beginAt(first);
    this.#decoded.clear();
    this.#sequenceByHash.clear();
    this.#hashesOf.clear();
    this.#indexedFrom = first;
    this.#oldest = first;
  }

  /** Stores a ledger. It becomes available only once it is stored. */
  add(ledger: ClosedLedger): void {
    this.#store.append(ledger.bytes);
    this.#decoded.set(ledger);
    this.#index(ledger);
    this.#forget();
  }

  ledger(sequence: number): ClosedLedger | undefined {
    if (sequence < this.#oldest || sequence > this.latestSequence) return undefined;
    return this.#read(sequence);
  }

  /** The ledgers from one sequence to another, inclusive, oldest first. */
  *ledgers(from: number, to: number): Generator<ClosedLedger> {
    const last = Math.min(to, this.latestSequence);
    for (let at = Math.max(from, this.#oldest); at <= last; at++) yield this.#mustRead(at);
  }

  /** Like `ledgers`, but without ledgers that have no transactions or that are deleted during the iteration. */
  *ledgersWithTransactions(from: number, to: number): Generator<ClosedLedger> {
    const last = Math.min(to, this.latestSequence);
    for (let at = Math.max(from, this.#oldest); at <= last; at++) {
      if (at < this.#oldest) continue;
      if (at < this.#indexedFrom || this.#hashesOf.has(at)) yield this.#mustRead(at);
    }
  }

  /** @param hash hex, in lower case */
  transaction(hash: string): FoundTransaction | undefined {
    let sequence = this.#sequenceByHash.get(hash);
    while (sequence === undefined && this.indexOlder()) sequence = this.#sequenceByHash.get(hash);
    const ledger = sequence === undefined ? undefined : this.ledger(sequence);
    const transaction =
      ledger?.transactions.find((closed) => closed.hash === hash) ??
      ledger?.transactions.find((closed) => closed.innerHash === hash);
    return ledger && transaction && { ledger, transaction };
  }

  /**
   * Indexes the transactions of one more ledger by hash: ledgers closed by an earlier process are not read at startup, but
   * gradually afterwards, or on request.
   * @returns false if there was nothing left to do
   */
  indexOlder(): boolean {
    const sequence = this.#indexedFrom - 1;
    if (sequence < this.#oldest) return false;
    this.#indexedFrom = sequence;
    const bytes = this.#store.read(sequence);
    if (bytes !== undefined) this.#index(ClosedLedger.read(this.#networkId, bytes));
    return true;
  }

  #index(ledger: ClosedLedger): void {
    const { sequence } = ledger;
    if (this.#indexedFrom > sequence) this.#indexedFrom = sequence;
    if (ledger.transactions.length === 0) return;
    const hashes = ledger.transactions.flatMap(({ hash, innerHash }) =>
      innerHash === undefined ? [hash] : [hash, innerHash],
    );
    for (const hash of hashes) this.#sequenceByHash.set(hash, sequence);
    this.#hashesOf.set(sequence, hashes);
  }

  #forget(): void {
    const { ledgers, bytes } = this.#retention;
    let first = Math.max(this.#oldest, this.latestSequence - ledgers + 1);
    if (this.#store.size > bytes) first = Math.max(first, this.#oldest + 1);
    for (; this.#oldest < first; this.#oldest++) {
      for (const hash of this.#hashesOf.get(this.#oldest) ?? []) this.#sequenceByHash.delete(hash);
      this.#hashesOf.delete(this.#oldest);
      this.#decoded.delete(this.#oldest);
    }
    this.#store.trim(this.#oldest);
  }

  #mustRead(sequence: number): ClosedLedger {
    const ledger = this.#read(sequence);
    if (ledger === undefined)
      throw new HistoryError('UNREADABLE', `Ledger ${sequence} is not available.`);
    return ledger;
  }

  #read(sequence: number): ClosedLedger | undefined {
    const known = this.#decoded.get(sequence);
    if (known !== undefined) return known;
    const bytes = this.#store.read(sequence);
    if (bytes === undefined) return undefined;
    const ledger = ClosedLedger.read(this.#networkId, bytes);
    this.#decoded.set(ledger);
    return ledger;
  }
}

/** Maximum number of ledgers that stay decoded. */
const LEDGERS = 128;
/** Maximum total size of their XDR. The decoded form can take ten times as much memory and more. */
const BYTES = 4 << 20;

/** The part of a ledger that matters here. */
interface Measured {
  readonly sequence: number;
  readonly bytes: Uint8Array;
  /** Drops everything that takes more memory than the bytes. */
  release(): void;
}

/**
 * The most recently read ledgers, which stay decoded. The newest ledger always stays, however large it is, because every
 * response refers to it.
 */
export class DecodedLedgers<Ledger extends Measured> {
  readonly #ledgers = new Map<number, Ledger>();
  #bytes = 0;
  #newest: Ledger | undefined;

  get(sequence: number): Ledger | undefined {
    return this.#newest?.sequence === sequence ? this.#newest : this.#ledgers.get(sequence);
  }

  set(ledger: Ledger): void {
    const { sequence, bytes } = ledger;
    this.delete(sequence);
    if (this.#newest === undefined || this.#newest.sequence <= sequence) {
      // Everyone who waited for it has read it by now.
      this.#newest?.release();
      this.#newest = ledger;
    }
    this.#ledgers.set(sequence, ledger);
    this.#bytes += bytes.length;
    for (const oldest of this.#ledgers.keys()) {
      if (this.#ledgers.size <= LEDGERS && this.#bytes <= BYTES) return;
      this.delete(oldest);
    }
  }

  clear(): void {
    this.#ledgers.clear();
    this.#bytes = 0;
    this.#newest = undefined;
  }

  /** Deletes a ledger, unless it is the newest. */
  delete(sequence: number): void {
    const ledger = this.#ledgers.get(sequence);
    if (ledger === undefined) return;
    this.#ledgers.delete(sequence);
    this.#bytes -= ledger.bytes.length;
  }
}
