import type { ContractAddress, StellarAddress } from '../../../common/address.ts';

declare const keyBrand: unique symbol;

/**
 * Identifies an authorization: the ledger accepts each nonce of an address once.
 * Two payloads with the same key can never both settle, whatever else differs between them.
 */
export type AuthorizationKey = string & { readonly [keyBrand]: true };

/** Returns the key of the authorization that `payer` signs with `nonce`. */
export function authorizationKey(payer: StellarAddress, nonce: bigint): AuthorizationKey {
  return `${payer}:${nonce}` as AuthorizationKey;
}

/**
 * Returns the key of an `upto` payment's authorization: the settlement contract accepts each nonce of a
 * payer once, whatever else is signed with it.
 */
export function uptoAuthorizationKey(
  payer: StellarAddress,
  contract: ContractAddress,
  nonce: Uint8Array,
): AuthorizationKey {
  let digits = '';
  for (const byte of nonce) digits += byte.toString(16).padStart(2, '0');
  return `${payer}:${contract}:${digits}` as AuthorizationKey;
}
