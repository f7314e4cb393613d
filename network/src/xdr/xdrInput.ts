/** The maximum depth of the SDK. */
const MAX_DEPTH = 1_500;
const UNIT = 4;
/** Up to this many bytes, a loop is faster than a call. */
const SHORT = 40;

/** XDR being read, and the current position. All methods throw RangeError if the bytes end too early. */
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

  /** Returns a copy of `length` bytes, and also reads the padding to a multiple of four. */
  opaque(length: number): Uint8Array {
    const at = this.#at;
    const end = at + length;
    const padded = end + ((UNIT - (length % UNIT)) % UNIT);
    const bytes = this.#bytes;
    if (padded > bytes.length) throw new RangeError('the bytes end too early');
    for (let n = end; n < padded; n += 1) {
      if (bytes[n] !== 0) throw new RangeError('the padding is not zero');
    }
    this.#at = padded;
    const copy = new Uint8Array(length);
    if (length > SHORT) copy.set(bytes.subarray(at, end));
    else for (let n = 0; n < length; n += 1) copy[n] = bytes[at + n] ?? 0;
    return copy;
  }

  /** Begins a value that contains others. @throws RangeError if values are nested too deeply */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new RangeError(`nested deeper than ${MAX_DEPTH}`);
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** @throws RangeError if bytes are left */
  end(): void {
    if (this.remaining !== 0) throw new RangeError(`${this.remaining} bytes are left`);
  }
}
