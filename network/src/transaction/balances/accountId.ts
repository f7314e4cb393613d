import { xdr } from '@stellar/stellar-sdk';

/** True if both ids are of the same account. */
export function sameAccount(a: xdr.PublicKey, b: xdr.PublicKey): boolean {
  return a === b || Buffer.compare(a.ed25519.value, b.ed25519.value) === 0;
}

/** The account of an address with or without a multiplexing id (CAP-27). */
export function accountOfMuxed(address: xdr.MuxedAccount): xdr.PublicKey {
  return xdr.PublicKey.publicKeyTypeEd25519(
    address.type === 'keyTypeEd25519' ? address.ed25519 : address.med25519.ed25519,
  );
}

/** The address of an account without a multiplexing id. */
export function muxedOfAccount(account: xdr.PublicKey): xdr.MuxedAccount {
  return xdr.MuxedAccount.keyTypeEd25519(account.ed25519);
}
