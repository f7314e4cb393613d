import type { xdr } from '@stellar/stellar-sdk';

/** True if a text consists only of printable ASCII (stellar-core `util/types.cpp`, `isStringValid`). */
export function isPrintableAscii(text: xdr.XdrString): boolean {
  return text.bytes.every((byte) => byte > 0x1f && byte < 0x7f);
}
