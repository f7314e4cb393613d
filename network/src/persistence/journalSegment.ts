import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { PersistenceError } from './persistenceError.ts';
import { FRAME_HEADER_BYTES, type FramePlace, frameOf, walkFrames } from './xdrFrames.ts';

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
export class JournalSegment {
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
