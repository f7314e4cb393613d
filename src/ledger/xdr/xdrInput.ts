/** As deep as the SDK reads. */
const MAX_DEPTH = 1_500;
const UNIT = 4;
/** Up to this many bytes a loop is quicker than a call. */
const SHORT = 40;

/** XDR that is being read, and how far. Everything throws RangeError where the bytes end too early. */
export class XdrInput {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  int32(): number {
    const value = this.#view.getInt32(this.#at);
    this.#at += UNIT;
    return value;
  }

  uint32(): number {
    const value = this.#view.getUint32(this.#at);
    this.#at += UNIT;
    return value;
  }

  int64(): bigint {
    const value = this.#view.getBigInt64(this.#at);
    this.#at += 2 * UNIT;
    return value;
  }

  uint64(): bigint {
    const value = this.#view.getBigUint64(this.#at);
    this.#at += 2 * UNIT;
    return value;
  }

  bool(): boolean {
    const value = this.uint32();
    if (value > 1) throw new RangeError(`${value} is neither true nor false`);
    return value === 1;
  }

  /** A copy of so many bytes; the zeros that fill the last unit of four are read as well. */
  opaque(length: number): Uint8Array {
    const at = this.#at;
    const end = at + length;
    const padded = end + ((UNIT - (length % UNIT)) % UNIT);
    const bytes = this.#bytes;
    if (padded > bytes.length) throw new RangeError('the bytes end too early');
    for (let n = end; n < padded; n += 1) {
      if (bytes[n] !== 0) throw new RangeError('what fills a unit is not zero');
    }
    this.#at = padded;
    const copy = new Uint8Array(length);
    if (length > SHORT) copy.set(bytes.subarray(at, end));
    else for (let n = 0; n < length; n += 1) copy[n] = bytes[at + n] ?? 0;
    return copy;
  }

  /** Begins a value that holds others. @throws RangeError where they are nested too deeply */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new RangeError(`deeper than ${MAX_DEPTH}`);
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** @throws RangeError where bytes are left */
  end(): void {
    if (this.remaining !== 0) throw new RangeError(`${this.remaining} bytes are left`);
  }
}
