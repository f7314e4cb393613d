import { StrKey, xdr } from '@stellar/stellar-sdk';
import { type AccountIdString, accountIdString } from '../../state/index.ts';

/** How many addresses are cached: the records of a page repeat the same few. */
const REMEMBERED = 10_000;

const remembered = new Map<AccountIdString, string>();

/** `G…`. */
export function accountText(account: xdr.PublicKey): string {
  return addressOf(accountIdString(account));
}

/** `G…`, from the bytes of the account's key. */
export function addressOf(account: AccountIdString): string {
  const known = remembered.get(account);
  if (known !== undefined) return known;
  const text = StrKey.encodeEd25519PublicKey(Buffer.from(account, 'latin1'));
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(account, text);
  return text;
}

/** The account of an address, as `G…`, with or without a multiplexing id. */
export function baseAccountText(address: xdr.MuxedAccount): string {
  const key = address.type === 'keyTypeEd25519' ? address.ed25519 : address.med25519.ed25519;
  return addressOf(Buffer.from(key.value).toString('latin1') as AccountIdString);
}

/** The fields that describe a multiplexed address: `M…` and its id. */
export interface MuxedText {
  readonly address: string;
  readonly id: string;
}

/** Undefined if the address does not carry a multiplexing id. */
export function muxedText(address: xdr.MuxedAccount): MuxedText | undefined {
  if (address.type === 'keyTypeEd25519') return undefined;
  const { id, ed25519 } = address.med25519;
  return { address: muxedAddress(ed25519.value, id), id: String(id) };
}

/**
 * An account in the field `<name>`, with `<name>_muxed` and `<name>_muxed_id` if it is multiplexed.
 */
export type AccountFields<Name extends string> = { readonly [name in Name]: string } & {
  readonly [name in `${Name}_muxed` | `${Name}_muxed_id`]?: string;
};

/** Writes an account as separate fields. */
export function accountFields<Name extends string>(
  name: Name,
  address: xdr.MuxedAccount,
): AccountFields<Name> {
  const muxed = muxedText(address);
  const fields: Record<string, string> = { [name]: baseAccountText(address) };
  if (muxed !== undefined) {
    fields[`${name}_muxed`] = muxed.address;
    fields[`${name}_muxed_id`] = muxed.id;
  }
  return fields as AccountFields<Name>;
}

/** Reads the bytes of an account's key from `G…`; undefined if the text is not an account address. */
export function parseAccount(text: string): AccountIdString | undefined {
  if (!StrKey.isValidEd25519PublicKey(text)) return undefined;
  return Buffer.from(StrKey.decodeEd25519PublicKey(text)).toString('latin1') as AccountIdString;
}

/** The account with these key bytes. */
export function publicKeyOf(account: AccountIdString): xdr.PublicKey {
  return xdr.PublicKey.publicKeyTypeEd25519(Buffer.from(account, 'latin1'));
}

/** A signer of any kind: `G…`, `T…`, `X…` or `P…`. */
export function signerText(key: xdr.SignerKey): string {
  switch (key.type) {
    case 'signerKeyTypeEd25519':
      return StrKey.encodeEd25519PublicKey(key.ed25519.value);
    case 'signerKeyTypePreAuthTx':
      return StrKey.encodePreAuthTx(key.preAuthTx.value);
    case 'signerKeyTypeHashX':
      return StrKey.encodeSha256Hash(key.hashX.value);
    case 'signerKeyTypeEd25519SignedPayload':
      return StrKey.encodeSignedPayload(key.ed25519SignedPayload.toXdr());
  }
}

const SIGNER_TYPES: Record<xdr.SignerKey['type'], string> = {
  signerKeyTypeEd25519: 'ed25519_public_key',
  signerKeyTypePreAuthTx: 'preauth_tx',
  signerKeyTypeHashX: 'sha256_hash',
  signerKeyTypeEd25519SignedPayload: 'ed25519_signed_payload',
};

/** Horizon's name for the kind of a signer. */
export function signerTypeText(key: xdr.SignerKey): string {
  return SIGNER_TYPES[key.type];
}

/** An address of any kind that contracts know: `G…`, `C…`, `M…`, `L…` or `B…`. */
export function addressText(address: xdr.ScAddress): string {
  switch (address.type) {
    case 'scAddressTypeAccount':
      return accountText(address.accountId);
    case 'scAddressTypeContract':
      return StrKey.encodeContract(address.contractId.value);
    case 'scAddressTypeMuxedAccount':
      return muxedAddress(address.muxedAccount.ed25519.value, address.muxedAccount.id);
    case 'scAddressTypeClaimableBalance':
      return StrKey.encodeClaimableBalance(
        // One byte for the kind of balance, then its id.
        Buffer.concat([Buffer.of(0), address.claimableBalanceId.value.value]),
      );
    case 'scAddressTypeLiquidityPool':
      return StrKey.encodeLiquidityPool(address.liquidityPoolId.value);
  }
}

/** `M…`, from an account and a multiplexing id. */
export function muxedAddress(account: Uint8Array, id: bigint): string {
  const bytes = Buffer.alloc(40);
  bytes.set(account);
  bytes.writeBigUInt64BE(id, 32);
  return StrKey.encodeMed25519PublicKey(bytes);
}
