import type { xdr } from '@stellar/stellar-sdk';
import { encodeXdr } from '../xdr/index.ts';

const encoded = new WeakMap<xdr.LedgerEntry, Uint8Array>();

/**
 * The XDR of an entry, remembered as long as the entry: the same value is hashed when it comes
 * and when it goes, and handed to the Soroban host in between.
 */
export function entryXdr(entry: xdr.LedgerEntry): Uint8Array {
  let bytes = encoded.get(entry);
  if (bytes === undefined) {
    bytes = encodeXdr(entry);
    encoded.set(entry, bytes);
  }
  return bytes;
}

/** Notes the XDR of an entry where it is known already. The caller vouches that it is canonical. */
export function rememberEntryXdr(entry: xdr.LedgerEntry, bytes: Uint8Array): void {
  encoded.set(entry, bytes);
}
