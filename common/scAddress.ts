import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  type AccountAddress,
  type ContractAddress,
  isAccountAddress,
  type StellarAddress,
} from './address.ts';
import { decodeStrKey, encodeStrKey } from './strKey.ts';

/** Returns the account with these 32 key bytes. */
export function accountAddressOf(key: Uint8Array): AccountAddress {
  return encodeStrKey('account', key) as AccountAddress;
}

/** Returns the contract with these 32 id bytes. */
export function contractAddressOf(id: Uint8Array): ContractAddress {
  return encodeStrKey('contract', id) as ContractAddress;
}

/** Returns the 32 bytes of an address. */
export function addressBytes(address: StellarAddress): Uint8Array {
  const bytes = decodeStrKey(isAccountAddress(address) ? 'account' : 'contract', address);
  if (bytes === undefined) throw new TypeError('a branded address always decodes');
  return bytes;
}

/** Returns the address in a Soroban value; `undefined` for muxed accounts, balances and pools. */
export function readScAddress(address: xdr.ScAddress): StellarAddress | undefined {
  switch (address.type) {
    case 'scAddressTypeAccount':
      return accountAddressOf(address.accountId.ed25519.value);
    case 'scAddressTypeContract':
      return contractAddressOf(address.contractId.value);
    default:
      return undefined;
  }
}

/** Returns the Soroban value of an address. */
export function toScAddress(address: StellarAddress): xdr.ScAddress {
  const bytes = addressBytes(address);
  return isAccountAddress(address)
    ? xdr.ScAddress.scAddressTypeAccount(xdr.PublicKey.publicKeyTypeEd25519(bytes))
    : xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(bytes));
}

/** Returns the classic account of a transaction source, muxed or not. */
export function readMuxedAccount(account: xdr.MuxedAccount): AccountAddress {
  return accountAddressOf(
    account.type === 'keyTypeEd25519' ? account.ed25519.value : account.med25519.ed25519.value,
  );
}
