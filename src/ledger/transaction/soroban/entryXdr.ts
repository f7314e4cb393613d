import type { xdr } from '@stellar/stellar-sdk';

const encoded = new WeakMap<xdr.LedgerEntry, Uint8Array>();

/** The XDR of an entry, remembered as long as the entry: contract code is large and read often. */
export function entryXdr(entry: xdr.LedgerEntry): Uint8Array {
  let bytes = encoded.get(entry);
  if (bytes === undefined) {
    bytes = entry.toXdr();
    encoded.set(entry, bytes);
  }
  return bytes;
}
