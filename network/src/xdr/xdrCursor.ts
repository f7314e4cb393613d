import type { WireSchema } from './wireSchema.ts';
import { skipperOf, type XdrSkipper } from './xdrSkipper.ts';

const UNIT = 4;

/** An XDR type of the SDK. */
export type XdrType = object;

const skippers = new WeakMap<XdrType, XdrSkipper>();

/**
 * Walks through XDR and cuts out values without decoding them, in a fraction of the time that decoding and encoding the ledgers
 * of a page would take.
 */
export class XdrCursor {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Reads a number, such as the case of a union or a length. @throws RangeError */
  uint32(): number {
    const value = this.#view.getUint32(this.#at);
    this.#at += UNIT;
    return value;
  }

  /** Returns the bytes of the next value as a view that shares the memory. @throws RangeError */
  take(type: XdrType): Uint8Array {
    const start = this.#at;
    this.skip(type);
    return this.#bytes.subarray(start, this.#at);
  }

  /** @throws RangeError */
  skip(type: XdrType): void {
    this.#at = skipperOfType(type)(this.#view, this.#at);
  }

  /** Skips a 64-bit number. @throws RangeError */
  skip64(): void {
    this.#view.getUint32(this.#at + UNIT);
    this.#at += 2 * UNIT;
  }

  /** @throws RangeError */
  skipList(type: XdrType): void {
    const count = this.uint32();
    for (let n = 0; n < count; n += 1) this.skip(type);
  }

  /** Returns the bytes of each value of a list. @throws RangeError */
  takeList(type: XdrType): Uint8Array[] {
    return this.list(() => this.take(type));
  }

  /** Returns the results of `read` for each value of a list. @throws RangeError */
  list<T>(read: () => T): T[] {
    const count = this.uint32();
    const found: T[] = [];
    for (let n = 0; n < count; n += 1) found.push(read());
    return found;
  }

  /** Returns the bytes that `walk` reads or skips. @throws RangeError */
  taken(walk: () => void): Uint8Array {
    const start = this.#at;
    walk();
    return this.#bytes.subarray(start, this.#at);
  }

  /** @throws RangeError if bytes remain */
  end(): void {
    const left = this.#bytes.length - this.#at;
    if (left !== 0) throw new RangeError(`${left} bytes are left`);
  }
}

function skipperOfType(type: XdrType): XdrSkipper {
  let skipper = skippers.get(type);
  if (skipper === undefined) {
    if (!('schema' in type)) throw new TypeError('the type is not an XDR type');
    skipper = skipperOf(type.schema as WireSchema);
    skippers.set(type, skipper);
  }
  return skipper;
}
