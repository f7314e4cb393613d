import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../common/machine/makeFolder.ts';
import type { LedgerStore } from '../history/index.ts';
import { PersistenceError } from './persistenceError.ts';
import { FRAME_HEADER_BYTES, type FramePlace, frameOf, walkFrames } from './xdrFrames.ts';

const SEGMENT = /^ledgers-(\d{10})\.xdr$/;

/** Name of the file whose first ledger has this sequence. */
const segmentName = (first: number): string => `ledgers-${String(first).padStart(10, '0')}.xdr`;

/**
 * The closed ledgers of a data folder, in consecutive files. A ledger is written before anybody can see it, so every visible
 * ledger survives a crash.
 */
export class LedgerJournal implements Omit<LedgerStore, 'beginAt'> {
  readonly #folder: string;
  #older: JournalSegment[] = [];
  readonly #assertHeld: () => void;
  #current: JournalSegment;

  /**
   * Opens the journal of a folder, or begins one. A ledger that a crash left half-written is cut off.
   * @param first sequence of the ledger after the newest snapshot, with which a new journal begins
   * @param assertHeld throws if the folder now belongs to another process; called before each write
   * @throws PersistenceError `DAMAGED` if the newest file is damaged anywhere but at its end
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

  /** @throws PersistenceError `DAMAGED` if a ledger is missing */
  read(sequence: number): Uint8Array | undefined {
    if (sequence < this.first || sequence > this.last) return undefined;
    const segment = this.#segmentOf(sequence);
    const bytes = segment.read(sequence);
    if (bytes === undefined) {
      throw new PersistenceError('DAMAGED', `Ledger ${sequence} is missing from ${segment.path}.`);
    }
    return bytes;
  }

  /** Begins a new file, so that older ones can be deleted once nobody needs their ledgers. */
  rotate(): void {
    const { first, last } = this.#current;
    if (last < first) return;
    this.#current.sync();
    // It is opened again when read; nothing more is written to it.
    this.#current.close();
    this.#older.push(this.#segment(first, false));
    this.#current = this.#segment(last + 1, true);
  }

  /**
   * Restarts at a later ledger and deletes all others.
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

  /** Deletes the files that have only ledgers before this sequence. */
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

  /** Waits until everything is on disk, so that it survives even a power failure. */
  sync(): void {
    this.#current.sync();
  }

  close(): void {
    for (const segment of this.#older) segment.close();
    this.#current.close();
  }

  /**
   * Handles an empty newest file. If it does not follow the previous one, a process ended during `beginAt`: either before the
   * snapshot, so that the older files are still valid, or after it.
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

/** An open file: where each ledger is, and where the next one goes. */
interface OpenFile {
  readonly fd: number;
  readonly places: FramePlace[];
  end: number;
}

/**
 * One file of closed ledgers, in the format of stellar-core's metadata stream, so that tools for that format can read it. A
 * file that is not the newest is opened when it is first read.
 */
class JournalSegment {
  readonly path: string;
  /** Sequence of the file's first ledger. */
  readonly first: number;
  readonly #newest: boolean;
  #file: OpenFile | undefined;

  /** @param newest whether ledgers are appended here, in which case a write might have been cut short */
  constructor(path: string, first: number, newest: boolean) {
    this.path = path;
    this.first = first;
    this.#newest = newest;
  }

  /** Sequence of the file's last ledger; one below `first` if it is empty. @throws PersistenceError `DAMAGED` */
  get last(): number {
    return this.first + this.#open().places.length - 1;
  }

  /** Size of the file in bytes. */
  get size(): number {
    return this.#file?.end ?? statSync(this.path).size;
  }

  /** Once this returns, the operating system has the ledger, so it survives the end of this process. */
  append(ledger: Uint8Array): void {
    const file = this.#open();
    const frame = frameOf(ledger);
    let written = 0;
    try {
      while (written < frame.length) written += writeSync(file.fd, frame, written);
    } catch (error) {
      // For example, the disk is full: half a frame must not remain before the next ledger.
      ftruncateSync(file.fd, file.end);
      throw error;
    }
    file.places.push({ offset: file.end + FRAME_HEADER_BYTES, length: ledger.length });
    file.end += frame.length;
  }

  /** @throws PersistenceError `DAMAGED` */
  read(sequence: number): Uint8Array | undefined {
    const { fd, places } = this.#open();
    const place = places[sequence - this.first];
    if (place === undefined) return undefined;
    const bytes = Buffer.allocUnsafe(place.length);
    let read = 0;
    while (read < bytes.length) {
      const count = readSync(fd, bytes, read, bytes.length - read, place.offset + read);
      if (count === 0) throw new PersistenceError('DAMAGED', `${this.path} was truncated.`);
      read += count;
    }
    return bytes;
  }

  /** Waits until everything is on disk. */
  sync(): void {
    fsyncSync(this.#open().fd);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file.fd);
    this.#file = undefined;
  }

  #open(): OpenFile {
    if (this.#file !== undefined) return this.#file;
    const fd = openSync(this.path, this.#newest ? 'a+' : 'r', 0o600);
    const bytes = readFileSync(this.path);
    const { places, end, tail } = walkFrames(bytes);
    if (tail === 'foreign' || (tail === 'torn' && !this.#newest)) {
      closeSync(fd);
      throw new PersistenceError('DAMAGED', `${this.path} is damaged at byte ${end}.`);
    }
    if (bytes.length > end) ftruncateSync(fd, end);
    this.#file = { fd, places: [...places], end };
    return this.#file;
  }
}
