const FIRST_SIZE = 1 << 16;
const LARGEST_KEPT = 1 << 22;
/** Up to this many bytes, a loop is faster than a call. */
const SHORT = 40;
const UNIT = 4;

interface Place {
  readonly value: object;
  readonly start: number;
  readonly end: number;
}

/** Bytes being written, in a reusable buffer. */
export class XdrWriter {
  #bytes = new Uint8Array(FIRST_SIZE);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;
  readonly #places: Place[] = [];

  /** Starts again without any bytes. */
  clear(): void {
    this.#length = 0;
    this.#places.length = 0;
    if (this.#bytes.length > LARGEST_KEPT) this.#resize(FIRST_SIZE);
  }

  /** Number of bytes written. */
  get length(): number {
    return this.#length;
  }

  /** A copy of the bytes from a position on. */
  since(start: number): Uint8Array {
    return this.#bytes.slice(start, this.#length);
  }

  /** Records the position of a value that was just written. */
  notePlace(value: object, start: number): void {
    this.#places.push({ value, start, end: this.#length });
  }

  /** The positions recorded since the last start. */
  get places(): readonly Place[] {
    return this.#places;
  }

  /** All bytes, without a copy: valid until more are written. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** A copy of all bytes. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  int32(value: number): void {
    if ((value | 0) !== value) throw outOfRange(value, 'a 32-bit integer');
    const at = this.#advance(UNIT);
    this.#view.setInt32(at, value);
  }

  uint32(value: number): void {
    if (value >>> 0 !== value) throw outOfRange(value, 'an unsigned 32-bit integer');
    const at = this.#advance(UNIT);
    this.#view.setUint32(at, value);
  }

  int64(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw outOfRange(value, 'a 64-bit integer');
    const at = this.#advance(2 * UNIT);
    this.#view.setBigInt64(at, value);
  }

  uint64(value: bigint): void {
    if (BigInt.asUintN(64, value) !== value) throw outOfRange(value, 'an unsigned 64-bit integer');
    const at = this.#advance(2 * UNIT);
    this.#view.setBigUint64(at, value);
  }

  /** Writes bytes, padded with zeros to a multiple of four. */
  opaque(value: Uint8Array): void {
    const { length } = value;
    const padded = (length + UNIT - 1) & -UNIT;
    const at = this.#advance(padded);
    const bytes = this.#bytes;
    if (length > SHORT) bytes.set(value, at);
    else for (let n = 0; n < length; n += 1) bytes[at + n] = value[n] ?? 0;
    if (padded > length) bytes.fill(0, at + length, at + padded);
  }

  /** Makes room and returns its position; it can replace the view. */
  #advance(by: number): number {
    const at = this.#length;
    const needed = at + by;
    if (needed > this.#bytes.length) this.#resize(Math.max(needed, 2 * this.#bytes.length));
    this.#length = needed;
    return at;
  }

  #resize(size: number): void {
    const bytes = new Uint8Array(size);
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

function outOfRange(value: number | bigint, type: string): RangeError {
  return new RangeError(`${value} is not ${type}`);
}
