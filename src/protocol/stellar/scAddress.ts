import * as xdr from '@stellar/stellar-sdk/xdr';
import {
  type AccountAddress,
  type ContractAddress,
  isAccountAddress,
  type StellarAddress,
} from '../address.ts';
import { decodeStrKey, encodeStrKey } from '../strKey.ts';

/** The account that 32 key bytes name. */
export function accountAddressOf(key: Uint8Array): AccountAddress {
  return encodeStrKey('account', key) as AccountAddress;
}

/** The contract that 32 id bytes name. */
export function contractAddressOf(id: Uint8Array): ContractAddress {
  return encodeStrKey('contract', id) as ContractAddress;
}

/** The 32 bytes an address stands for. */
export function addressBytes(address: StellarAddress): Uint8Array {
  const bytes = decodeStrKey(isAccountAddress(address) ? 'account' : 'contract', address);
  if (bytes === undefined) throw new TypeError('a branded address always decodes');
  return bytes;
}

/** The address a Soroban value names; `undefined` for muxed accounts, balances and pools. */
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

/** The Soroban value of an address. */
export function toScAddress(address: StellarAddress): xdr.ScAddress {
  const bytes = addressBytes(address);
  return isAccountAddress(address)
    ? xdr.ScAddress.scAddressTypeAccount(xdr.PublicKey.publicKeyTypeEd25519(bytes))
    : xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(bytes));
}

/** The classic account behind a transaction source, whether it is multiplexed or not. */
export function readMuxedAccount(account: xdr.MuxedAccount): AccountAddress {
  return accountAddressOf(
    account.type === 'keyTypeEd25519' ? account.ed25519.value : account.med25519.ed25519.value,
  );
}
