import { StrKey, xdr } from '@stellar/stellar-sdk';
import { type AccountIdString, accountIdString } from '../../state/index.ts';

/** How many addresses are remembered: a page of records names the same few again and again. */
const REMEMBERED = 10_000;

const remembered = new Map<AccountIdString, string>();

/** `G…`. */
export function accountText(account: xdr.PublicKey): string {
  return addressOf(accountIdString(account));
}

/** `G…`, of an account by the bytes of its key. */
export function addressOf(account: AccountIdString): string {
  const known = remembered.get(account);
  if (known !== undefined) return known;
  const text = StrKey.encodeEd25519PublicKey(Buffer.from(account, 'latin1'));
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(account, text);
  return text;
}

/** The account behind an address that may carry a multiplexing id: `G…` in either case. */
export function baseAccountText(address: xdr.MuxedAccount): string {
  const key = address.type === 'keyTypeEd25519' ? address.ed25519 : address.med25519.ed25519;
  return addressOf(Buffer.from(key.value).toString('latin1') as AccountIdString);
}

/** The fields that describe a multiplexed address: `M…` and its id. */
export interface MuxedText {
  readonly address: string;
  readonly id: string;
}

/** Undefined where the address carries no multiplexing id. */
export function muxedText(address: xdr.MuxedAccount): MuxedText | undefined {
  if (address.type === 'keyTypeEd25519') return undefined;
  const { id, ed25519 } = address.med25519;
  return { address: muxedAddress(ed25519.value, id), id: String(id) };
}

/**
 * An account under a field of its own, with `<name>_muxed` and `<name>_muxed_id` where it is
 * multiplexed.
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

/** The bytes of an account's key from `G…`; undefined where the text is not the address of an account. */
export function parseAccount(text: string): AccountIdString | undefined {
  if (!StrKey.isValidEd25519PublicKey(text)) return undefined;
  return Buffer.from(StrKey.decodeEd25519PublicKey(text)).toString('latin1') as AccountIdString;
}

/** The account of a key's bytes. */
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

/** What Horizon calls the kind of a signer. */
export function signerTypeText(key: xdr.SignerKey): string {
  return SIGNER_TYPES[key.type];
}

/** Any address that contracts know: `G…`, `C…`, `M…`, `L…` or `B…`. */
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

/** `M…` of an account and a multiplexing id. */
export function muxedAddress(account: Uint8Array, id: bigint): string {
  const bytes = Buffer.alloc(40);
  bytes.set(account);
  bytes.writeBigUInt64BE(id, 32);
  return StrKey.encodeMed25519PublicKey(bytes);
}
