import { createHash } from 'node:crypto';
import type { LedgerKeyId } from './ledgerKey.ts';

const MODULUS = 2n ** 256n;

/**
 * A hash of the whole state that costs only what a ledger changed: the sum, modulo 2^256, of the
 * SHA-256 of every live entry. It finds lost, torn or doubled writes; it is not built to
 * withstand somebody who chooses entries to make two states collide.
 *
 * It stands in the header where the public network has the hash of its bucket list.
 */
export class StateHash {
  #sum = 0n;

  constructor(sum?: Uint8Array) {
    if (sum !== undefined) this.#sum = BigInt(`0x${Buffer.from(sum).toString('hex')}`);
  }

  add(id: LedgerKeyId, entry: Uint8Array): void {
    this.#sum = (this.#sum + digest(id, entry)) % MODULUS;
  }

  remove(id: LedgerKeyId, entry: Uint8Array): void {
    this.#sum = (this.#sum - digest(id, entry) + MODULUS) % MODULUS;
  }

  /** The 32 bytes of the sum, big-endian. */
  bytes(): Buffer {
    return Buffer.from(this.#sum.toString(16).padStart(64, '0'), 'hex');
  }
}

function digest(id: LedgerKeyId, entry: Uint8Array): bigint {
  const hash = createHash('sha256').update(id, 'latin1').update(entry).digest('hex');
  return BigInt(`0x${hash}`);
}
