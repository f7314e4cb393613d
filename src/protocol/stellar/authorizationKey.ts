import type { ContractAddress, StellarAddress } from '../address.ts';

declare const keyBrand: unique symbol;

/**
 * What makes an authorization one of a kind: the ledger takes each nonce of an address once.
 * Two payloads with the same key can never both settle, whatever else differs in them.
 */
export type AuthorizationKey = string & { readonly [keyBrand]: true };

/** Names the authorization that `payer` signs with `nonce`. */
export function authorizationKey(payer: StellarAddress, nonce: bigint): AuthorizationKey {
  return `${payer}:${nonce}` as AuthorizationKey;
}

/**
 * Names the authorization of an `upto` payment: the settlement contract takes each nonce of a payer
 * once, whatever else is signed with it.
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
