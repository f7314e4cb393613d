import type { StellarAddress } from '../../../common/address.ts';
import { accountAddressOf, contractAddressOf } from '../../../common/scAddress.ts';

/** Thrown at the first byte that is not in a plain form. One for all, because a stack for each would cost more than reading. */
class NotPlainError extends Error {}
const NOT_PLAIN = new NotPlainError('not in a plain form');

const KEY_BYTES = 32;
/** Deepest nesting of a value in a plain form. */
const MAX_DEPTH = 8;

/**
 * Reads XDR that has a plain form, which is most of what buyers and servers send, in a fraction of the time in which the
 * SDK decodes it to objects. What has another form is read by the SDK: every method throws at it. Accepted are only bytes
 * that the SDK accepts too.
 */
export class PlainXdr {
  readonly bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  uint32(): number {
    const { at } = this;
    this.#move(4);
    return this.bytes.readUInt32BE(at);
  }

  int64(): bigint {
    const { at } = this;
    this.#move(8);
    return this.bytes.readBigInt64BE(at);
  }

  uint64(): bigint {
    const { at } = this;
    this.#move(8);
    return this.bytes.readBigUInt64BE(at);
  }

  /** Reads a discriminant, or a length, that has to be this one. */
  expect(value: number): void {
    if (this.uint32() !== value) throw NOT_PLAIN;
  }

  /** Reads a flag. */
  bool(): boolean {
    const value = this.uint32();
    if (value > 1) throw NOT_PLAIN;
    return value === 1;
  }

  skip(count: number): void {
    this.#move(count);
  }

  /** Returns some bytes, in place. */
  take(count: number): Buffer {
    const { at } = this;
    this.#move(count);
    return this.bytes.subarray(at, this.at);
  }

  /** Skips bytes with their length before them, and zeros after them up to a multiple of four. */
  skipVariable(most: number): void {
    const length = this.uint32();
    if (length > most) throw NOT_PLAIN;
    this.#move(length);
    for (let left = (4 - (length % 4)) % 4; left > 0; left -= 1) {
      if (this.bytes[this.at] !== 0) throw NOT_PLAIN;
      this.#move(1);
    }
  }

  /** Reads a count and skips as many values. */
  skipList(skip: () => void): void {
    for (let left = this.uint32(); left > 0; left -= 1) skip();
  }

  /** Reads the ed25519 key of an account, after the discriminant of its type. */
  key(): Buffer {
    this.expect(0);
    return this.take(KEY_BYTES);
  }

  /** Reads an `SCAddress` of an account or a contract. */
  address(): StellarAddress {
    switch (this.uint32()) {
      case 0:
        return accountAddressOf(this.key());
      case 1:
        return contractAddressOf(this.take(KEY_BYTES));
      default:
        throw NOT_PLAIN;
    }
  }

  skipAddress(): void {
    switch (this.uint32()) {
      case 0:
        this.key();
        return;
      case 1:
        this.skip(KEY_BYTES);
        return;
      default:
        throw NOT_PLAIN;
    }
  }

  /** Skips an `SCVal` of the kinds that signatures and keys of entries consist of. */
  skipValue(depth = 0): void {
    if (depth > MAX_DEPTH) throw NOT_PLAIN;
    const value = (): void => this.skipValue(depth + 1);
    switch (this.uint32()) {
      case 0: // bool
        this.bool();
        return;
      case 1: // void
      case 20: // key of a contract's instance
        return;
      case 3: // u32
      case 4: // i32
        this.skip(4);
        return;
      case 5: // u64
      case 6: // i64
      case 21: // key of a nonce
        this.skip(8);
        return;
      case 9: // u128
      case 10: // i128
        this.skip(16);
        return;
      case 13: // bytes
        this.skipVariable(this.bytes.length);
        return;
      case 15: // symbol
        this.skipVariable(32);
        return;
      case 16: // vec, which is optional
        this.expect(1);
        this.skipList(value);
        return;
      case 17: // map, which is optional
        this.expect(1);
        this.skipList(() => {
          value();
          value();
        });
        return;
      case 18: // address
        this.skipAddress();
        return;
      default:
        throw NOT_PLAIN;
    }
  }

  /** Skips a `LedgerKey` of the kinds that payments touch. */
  skipLedgerKey(): void {
    switch (this.uint32()) {
      case 0: // account
        this.key();
        return;
      case 1: // trustline
        this.key();
        this.#skipAsset();
        return;
      case 6: // contract data
        this.skipAddress();
        this.skipValue();
        this.bool();
        return;
      case 7: // contract code
        this.skip(KEY_BYTES);
        return;
      default:
        throw NOT_PLAIN;
    }
  }

  end(): void {
    if (this.at !== this.bytes.length) throw NOT_PLAIN;
  }

  #skipAsset(): void {
    switch (this.uint32()) {
      case 1:
        this.skip(4);
        break;
      case 2:
        this.skip(12);
        break;
      default:
        throw NOT_PLAIN;
    }
    this.key();
  }

  #move(count: number): void {
    this.at += count;
    if (this.at > this.bytes.length) throw NOT_PLAIN;
  }
}

/** Returns what `read` gives; `undefined` if the bytes have another form than it expects. */
export function readPlain<T>(bytes: Buffer, read: (xdr: PlainXdr) => T): T | undefined {
  try {
    const plain = new PlainXdr(bytes);
    const value = read(plain);
    plain.end();
    return value;
  } catch (error) {
    if (error instanceof NotPlainError) return undefined;
    throw error;
  }
}
