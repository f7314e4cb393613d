import { xdr } from '@stellar/stellar-sdk';
import { isIssuer } from '../balances/index.ts';
import type { EventParty } from './operationEvents.ts';

/** A party of an event as a contract address, including its multiplexing id, if any. */
export function eventAddress(party: EventParty): xdr.ScAddress {
  switch (party.type) {
    case 'keyTypeEd25519':
      return accountAddress(xdr.PublicKey.publicKeyTypeEd25519(party.ed25519));
    case 'keyTypeMuxedEd25519':
      return xdr.ScAddress.scAddressTypeMuxedAccount(new xdr.MuxedEd25519Account(party.med25519));
    default:
      return party;
  }
}

/** The address of an account. */
export function accountAddress(account: xdr.PublicKey): xdr.ScAddress {
  return xdr.ScAddress.scAddressTypeAccount(account);
}

/** The account of a multiplexed address, for topics; only the data can contain its id. */
export function withoutMuxId(address: xdr.ScAddress): xdr.ScAddress {
  if (address.type !== 'scAddressTypeMuxedAccount') return address;
  return accountAddress(xdr.PublicKey.publicKeyTypeEd25519(address.muxedAccount.ed25519));
}

/** True if the address is the account that issues the asset. */
export function isIssuerAddress(address: xdr.ScAddress, asset: xdr.Asset): boolean {
  const account = withoutMuxId(address);
  return account.type === 'scAddressTypeAccount' && isIssuer(account.accountId, asset);
}
