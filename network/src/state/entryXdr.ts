import type { xdr } from '@stellar/stellar-sdk';
import { encodeXdr, knownXdr, rememberXdr } from '../xdr/index.ts';

/**
 * The XDR of an entry, cached as long as the entry exists: the same value is hashed when it is added and when it is removed,
 * passed to the Soroban host in between, and written into the meta.
 */
export function entryXdr(entry: xdr.LedgerEntry): Uint8Array {
  let bytes = knownXdr(entry);
  if (bytes === undefined) {
    bytes = encodeXdr(entry);
    rememberXdr(entry, bytes);
  }
  return bytes;
}

/** Caches XDR that is already known for an entry. It must be canonical. */
export function rememberEntryXdr(entry: xdr.LedgerEntry, bytes: Uint8Array): void {
  rememberXdr(entry, bytes);
}
