/**
 * The encoding of requests to the WebAssembly module and its answers: little-endian integers, byte strings with a u32 length,
 * lists with a u32 count. `network/host/src/codec.rs` is its counterpart.
 */

/** Builds a request. Throws if an integer is out of range, which is an error of the caller. */
export class RequestWriter {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** Makes room and returns its position; it can replace the view. */
  #grow(by: number): number {
    const at = this.#length;
    this.#length += by;
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length, 2 * this.#bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }

  u32(value: number): this {
    if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) {
      throw new RangeError(`${value} is not an unsigned 32-bit integer`);
    }
    const at = this.#grow(4);
    this.#view.setUint32(at, value, true);
    return this;
  }

  u64(value: bigint): this {
    if (BigInt.asUintN(64, value) !== value) {
      throw new RangeError(`${value} is not an unsigned 64-bit integer`);
    }
    const at = this.#grow(8);
    this.#view.setBigUint64(at, value, true);
    return this;
  }

  bool(value: boolean): this {
    return this.u32(value ? 1 : 0);
  }

  /** Bytes whose length both sides know. */
  fixed(value: Uint8Array, length: number): this {
    if (value.length !== length) {
      throw new RangeError(`${length} bytes expected, not ${value.length}`);
    }
    const at = this.#grow(length);
    this.#bytes.set(value, at);
    return this;
  }

  bytes(value: Uint8Array): this {
    return this.u32(value.length).fixed(value, value.length);
  }

  list<T>(items: readonly T[], write: (item: T) => void): this {
    this.u32(items.length);
    for (const item of items) {
      write(item);
    }
    return this;
  }

  /** The request so far; valid until the next write. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}

const text = new TextDecoder();

/** Answers up to this size are copied at once; of larger ones, only the parts that are kept. */
const COPIED_WHOLE = 1 << 16;

/**
 * Reads an answer. It returns copies, because the module reuses its memory. The parts of a small answer share the memory of one
 * copy.
 */
export class ReplyReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  readonly #copied: boolean;

  constructor(bytes: Uint8Array) {
    this.#copied = bytes.length <= COPIED_WHOLE;
    this.#bytes = this.#copied ? bytes.slice() : bytes;
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
  }

  #advance(by: number): number {
    const at = this.#at;
    this.#at += by;
    return at;
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  /** A count sent as u64, which stays far below 2^53. */
  count(): number {
    return Number(this.#view.getBigUint64(this.#advance(8), true));
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#advance(8), true);
  }

  bool(): boolean {
    return this.u32() !== 0;
  }

  bytes(): Uint8Array {
    const length = this.u32();
    const at = this.#advance(length);
    return this.kept(this.#bytes.subarray(at, at + length));
  }

  /** Makes bytes returned by `view` last beyond the next call of the module. */
  kept(view: Uint8Array): Uint8Array {
    return this.#copied ? view : view.slice();
  }

  /** Like `bytes`, but without a copy: valid until the next call of the module. */
  view(): Uint8Array {
    const length = this.u32();
    const at = this.#advance(length);
    return this.#bytes.subarray(at, at + length);
  }

  optional(): Uint8Array | null {
    return this.bool() ? this.bytes() : null;
  }

  text(): string {
    const length = this.u32();
    const at = this.#advance(length);
    return text.decode(this.#bytes.subarray(at, at + length));
  }

  list<T>(read: (reply: ReplyReader) => T): T[] {
    const items: T[] = [];
    for (let n = this.u32(); n > 0; n--) {
      items.push(read(this));
    }
    return items;
  }
}

export const readBytes = (reply: ReplyReader): Uint8Array => reply.bytes();
