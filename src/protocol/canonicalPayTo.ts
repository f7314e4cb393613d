import { parseStellarAddress, type StellarAddress } from '../../common/address.ts';

/**
 * Returns the canonical form of a recipient's address: `G…` or `C…` in upper case, without surrounding white space, with a
 * valid checksum (spec: Catalog reasons/invalid_payto). `undefined` for anything else, including muxed accounts (`M…`). A key
 * has only one such form: base32 leaves no bits unused at this length.
 */
export function canonicalPayTo(text: string): StellarAddress | undefined {
  return parseStellarAddress(text.trim().toUpperCase());
}
