import type { StellarAddress } from '../address.ts';

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
