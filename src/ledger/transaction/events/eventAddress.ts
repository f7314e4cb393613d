import { xdr } from '@stellar/stellar-sdk';
import { isIssuer } from '../balances/index.ts';
import type { EventParty } from './operationEvents.ts';

/** A party of an event as a contract address; a multiplexing id, if there is one, is kept. */
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

/** Topics name the account behind a multiplexed address; only the data may contain its id. */
export function withoutMuxId(address: xdr.ScAddress): xdr.ScAddress {
  if (address.type !== 'scAddressTypeMuxedAccount') return address;
  return accountAddress(xdr.PublicKey.publicKeyTypeEd25519(address.muxedAccount.ed25519));
}

/** True where the address is the account that issues the asset. */
export function isIssuerAddress(address: xdr.ScAddress, asset: xdr.Asset): boolean {
  const account = withoutMuxId(address);
  return account.type === 'scAddressTypeAccount' && isIssuer(account.accountId, asset);
}
