import { sha256Latin1 } from '../../../common/machine/sha256.ts';
import type { LedgerKeyId } from './ledgerKey.ts';

const BYTES = 32;
const WORDS = BYTES / 4;
const WORD_LIMIT = 2 ** 32;

/**
 * A hash of the entire state whose cost depends only on what a ledger changed: the sum, modulo 2^256, of the SHA-256 of every
 * live entry. It detects lost, torn or duplicate writes; it does not withstand somebody who chooses entries to make two states
 * collide.
 *
 * In the header, it replaces the public network's bucket list hash.
 */
export class StateHash {
  /** Words of 32 bits, most significant first. */
  readonly #sum = new Uint32Array(WORDS);

  add(id: LedgerKeyId, entry: Uint8Array): void {
    const hash = digest(id, entry);
    let carry = 0;
    for (let at = WORDS - 1; at >= 0; at -= 1) {
      const word = (this.#sum[at] ?? 0) + wordAt(hash, at) + carry;
      carry = word >= WORD_LIMIT ? 1 : 0;
      this.#sum[at] = word;
    }
  }

  remove(id: LedgerKeyId, entry: Uint8Array): void {
    const hash = digest(id, entry);
    let borrow = 0;
    for (let at = WORDS - 1; at >= 0; at -= 1) {
      const word = (this.#sum[at] ?? 0) - wordAt(hash, at) - borrow;
      borrow = word < 0 ? 1 : 0;
      this.#sum[at] = word;
    }
  }

  /** The 32 bytes of the sum, big-endian. */
  bytes(): Buffer {
    const bytes = Buffer.alloc(BYTES);
    for (const [at, word] of this.#sum.entries()) bytes.writeUInt32BE(word, 4 * at);
    return bytes;
  }
}

/** A word of a hash that is written one byte per character. */
function wordAt(hash: string, at: number): number {
  const first = 4 * at;
  return (
    hash.charCodeAt(first) * 2 ** 24 +
    (hash.charCodeAt(first + 1) << 16) +
    (hash.charCodeAt(first + 2) << 8) +
    hash.charCodeAt(first + 3)
  );
}

/** Key and entry, one after the other; reused for every hash. */
let hashed = Buffer.alloc(1 << 12);

/** One byte per character: a string costs less than a byte array object. */
function digest(id: LedgerKeyId, entry: Uint8Array): string {
  const length = id.length + entry.length;
  if (length > hashed.length) hashed = Buffer.alloc(2 * length);
  hashed.write(id, 'latin1');
  hashed.set(entry, id.length);
  return sha256Latin1(hashed.subarray(0, length));
}
