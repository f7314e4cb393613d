import { parseStellarAddress, type StellarAddress } from './address.ts';

/**
 * The one form of a recipient's address: `G…` or `C…`, in upper case, without white space around it,
 * its checksum right (spec: Catalog reasons/invalid_payto). `undefined` for anything else, muxed
 * accounts (`M…`) among it. One key has one such form: base32 leaves no bits unused at this length.
 */
export function canonicalPayTo(text: string): StellarAddress | undefined {
  return parseStellarAddress(text.trim().toUpperCase());
}
