declare const hashBrand: unique symbol;

/** Hash of the transaction that settled a payment: 64 lower-case hexadecimal digits. */
export type SettlementHash = string & { readonly [hashBrand]: true };

/** Reads a transaction hash; `undefined` if it is not 64 lower-case hexadecimal digits. */
export function parseSettlementHash(text: string): SettlementHash | undefined {
  return /^[0-9a-f]{64}$/.test(text) ? (text as SettlementHash) : undefined;
}

/** Converts the 32 bytes of a transaction hash. */
export function settlementHash(bytes: Uint8Array): SettlementHash {
  if (bytes.length !== 32) throw new RangeError(`a hash has 32 bytes, not ${bytes.length}`);
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text as SettlementHash;
}
