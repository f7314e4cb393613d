import * as xdr from '@stellar/stellar-sdk/xdr';
import { isAccountAddress, type StellarAddress } from '../../../common/address.ts';
import { addressBytes, toScAddress } from '../../../common/scAddress.ts';

/** The ledger's record that an address used a nonce (CAP-46-11). */
export function nonceKey(address: StellarAddress, nonce: bigint): xdr.LedgerKey {
  return xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: toScAddress(address),
      key: xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce })),
      durability: xdr.ContractDataDurability.temporary,
    }),
  );
}

/** Returns `nonceKey` as base64 XDR, written by its place. */
export function encodedNonceKey(address: StellarAddress, nonce: bigint): string {
  // Discriminants of contract data, and of an address that is an account's or a contract's.
  const of = isAccountAddress(address)
    ? [0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0]
    : [0, 0, 0, 6, 0, 0, 0, 1];
  // Discriminant of the key, the nonce, and the discriminant of a temporary entry.
  const rest = Buffer.alloc(4 + 8 + 4);
  rest.writeUInt32BE(21);
  rest.writeBigInt64BE(nonce, 4);
  return Buffer.concat([Buffer.from(of), addressBytes(address), rest]).toString('base64');
}

// The two parts of an account's XDR that every settlement needs are read and written by their place: everything before them
// has a fixed size (Stellar-ledger-entries.x). Reading and decoding an entry whole takes ten times as long.

/** Size of the discriminants of `ACCOUNT` and of the only type of public key, which are all zero. */
const ACCOUNT_KEY_BYTES = 8;
/** In an entry, after the discriminants: the key (32 bytes), the balance (8), the sequence number (8). */
const SEQUENCE_AT = ACCOUNT_KEY_BYTES + 32 + 8;
const SEQUENCE_BYTES = 8;

/** Base64 XDR of an account's `LedgerKey`. */
export function encodedAccountKey({ publicKey }: { readonly publicKey: Uint8Array }): string {
  return Buffer.concat([Buffer.alloc(ACCOUNT_KEY_BYTES), publicKey]).toString('base64');
}

/**
 * Returns the sequence number in an account's entry; `undefined` for other entries.
 * @param entry base64 XDR of a `LedgerEntryData`
 */
export function sequenceOfEntry(entry: string): bigint | undefined {
  const bytes = Buffer.from(entry, 'base64');
  if (bytes.length < SEQUENCE_AT + SEQUENCE_BYTES) return undefined;
  if (bytes.subarray(0, ACCOUNT_KEY_BYTES).some((byte) => byte !== 0)) return undefined;
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
