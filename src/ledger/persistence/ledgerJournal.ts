import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../machine/index.ts';
import type { LedgerStore } from '../history/index.ts';
import { JournalSegment } from './journalSegment.ts';
import { PersistenceError } from './persistenceError.ts';

const SEGMENT = /^ledgers-(\d{10})\.xdr$/;

/** Name of the file whose first ledger has this sequence. */
const segmentName = (first: number): string => `ledgers-${String(first).padStart(10, '0')}.xdr`;

/**
 * The closed ledgers of a data folder, in consecutive files. A ledger is written before anybody can see it, so that every
 * ledger that was seen exists after a crash.
 */
export class LedgerJournal implements Omit<LedgerStore, 'beginAt'> {
  readonly #folder: string;
  #older: JournalSegment[] = [];
  readonly #assertHeld: () => void;
  #current: JournalSegment;

  /**
   * Opens the journal of a folder, or begins one; what a crash left of a half-written ledger is cut off.
   * @param first sequence of the ledger after the newest snapshot, with which a new journal begins
   * @param assertHeld throws when the folder belongs to another process by now; called before each write
   * @throws PersistenceError `DAMAGED` when the newest file is broken elsewhere than at its end
   */
  constructor(folder: string, first: number, assertHeld: () => void = () => {}) {
    this.#assertHeld = assertHeld;
    makeFolder(folder);
    const starts = readdirSync(folder)
      .flatMap((name) => SEGMENT.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
    const newest = starts.pop() ?? first;
    this.#folder = folder;
    this.#older = starts.map((start) => this.#segment(start, false));
    this.#current = this.#segment(newest, true);
    if (this.#current.last < newest) this.#finishBeginning(first);
  }

  get first(): number {
    return this.#older[0]?.first ?? this.#current.first;
  }

  get last(): number {
    return this.#current.last;
  }

  get size(): number {
    return this.#older.reduce((sum, segment) => sum + segment.size, this.#current.size);
  }

  /** Bytes written since the last `rotate`. */
  get sizeOfNewestFile(): number {
    return this.#current.size;
  }

  append(ledger: Uint8Array): void {
    this.#assertHeld();
    this.#current.append(ledger);
  }

  /** @throws PersistenceError `DAMAGED` when the ledger should be there and is not */
  read(sequence: number): Uint8Array | undefined {
    if (sequence < this.first || sequence > this.last) return undefined;
    const segment = this.#segmentOf(sequence);
    const bytes = segment.read(sequence);
    if (bytes === undefined) {
      throw new PersistenceError('DAMAGED', `Ledger ${sequence} is missing in ${segment.path}.`);
    }
    return bytes;
  }

  /** Begins a new file, so that older ones can go when nobody needs their ledgers. */
  rotate(): void {
    const { first, last } = this.#current;
    if (last < first) return;
    this.#current.sync();
    // Opened again when read: from now on nothing is written here.
    this.#current.close();
    this.#older.push(this.#segment(first, false));
    this.#current = this.#segment(last + 1, true);
  }

  /**
   * Restarts at a later ledger, and removes all others.
   * @param snapshot stores the state before that ledger
   */
  beginAt(first: number, snapshot: () => void): void {
    this.#assertHeld();
    this.#current.sync();
    this.#current.close();
    this.#older.push(this.#segment(this.#current.first, false));
    this.#current = this.#segment(first, true);
    this.#current.sync();
    snapshot();
    this.#removeOlder();
  }

  /** Removes the files all of whose ledgers come before this sequence. */
  trim(first: number): void {
    this.#assertHeld();
    for (;;) {
      const [oldest, next = this.#current] = this.#older;
      if (oldest === undefined || next.first > first) return;
      this.#older.shift();
      oldest.close();
      rmSync(oldest.path, { force: true });
    }
  }

  /** Waits until the disk has everything, so that a power failure cannot take it either. */
  sync(): void {
    this.#current.sync();
  }

  close(): void {
    for (const segment of this.#older) segment.close();
    this.#current.close();
  }

  /**
   * The newest file is empty. Where it does not follow the one before, a process ended while it began again: before there
   * was a snapshot, so that the older files still hold, or after it.
   */
  #finishBeginning(first: number): void {
    const before = this.#older.at(-1);
    if (before === undefined || before.last + 1 === this.#current.first) return;
    if (this.#current.first === first) {
      this.#removeOlder();
      return;
    }
    this.#current.close();
    rmSync(this.#current.path, { force: true });
    this.#older.pop();
    this.#current = this.#segment(before.first, true);
  }

  #removeOlder(): void {
    for (const segment of this.#older) {
      segment.close();
      rmSync(segment.path, { force: true });
    }
    this.#older = [];
  }

  #segment(first: number, newest: boolean): JournalSegment {
    return new JournalSegment(join(this.#folder, segmentName(first)), first, newest);
  }

  #segmentOf(sequence: number): JournalSegment {
    if (sequence >= this.#current.first) return this.#current;
    const older = this.#older.findLast((segment) => sequence >= segment.first);
    return older ?? this.#current;
  }
}
