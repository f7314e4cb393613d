import * as xdr from '@stellar/stellar-sdk/xdr';

/**
 * The two parts of an account's XDR that every settlement needs, read and written by their place: everything before them
 * has a fixed size (Stellar-ledger-entries.x). Reading and decoding an entry whole takes ten times as long.
 */

/** Discriminants of `ACCOUNT` and of the only type of public key. */
const ACCOUNT_KEY = Buffer.alloc(8);

/** In an entry, after the discriminants: the key (32 bytes), the balance (8), the sequence number (8). */
const SEQUENCE_AT = ACCOUNT_KEY.length + 32 + 8;
const SEQUENCE_BYTES = 8;

/** Base64 XDR of an account's `LedgerKey`. */
export function encodedAccountKey({ publicKey }: { readonly publicKey: Uint8Array }): string {
  return Buffer.concat([ACCOUNT_KEY, publicKey]).toString('base64');
}

/**
 * Returns the sequence number in an account's entry; `undefined` for other entries.
 * @param entry base64 XDR of a `LedgerEntryData`
 */
export function sequenceOfEntry(entry: string): bigint | undefined {
  const bytes = Buffer.from(entry, 'base64');
  if (bytes.length < SEQUENCE_AT + SEQUENCE_BYTES) return undefined;
  if (!bytes.subarray(0, ACCOUNT_KEY.length).equals(ACCOUNT_KEY)) return undefined;
  return bytes.readBigInt64BE(SEQUENCE_AT);
}

/**
 * Returns the balance in an account's entry, in stroops; `undefined` for other entries.
 * @param entry base64 XDR of a `LedgerEntryData`
 */
export function balanceOfEntry(entry: string): bigint | undefined {
  // The balance is directly before the sequence number.
  return sequenceOfEntry(entry) === undefined
    ? undefined
    : Buffer.from(entry, 'base64').readBigInt64BE(SEQUENCE_AT - 8);
}

/** The ledger key of a classic account. */
export function accountKey(account: { readonly publicKey: Uint8Array }): xdr.LedgerKey {
  return xdr.LedgerKey.account(
    new xdr.LedgerKeyAccount({
      accountId: xdr.PublicKey.publicKeyTypeEd25519(account.publicKey),
    }),
  );
}
