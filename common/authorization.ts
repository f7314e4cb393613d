import type * as xdr from '@stellar/stellar-sdk/xdr';
import type { StellarAddress } from './address.ts';
import { readScAddress } from './scAddress.ts';

/**
 * How an entry is authorized. `address` has existed since the start of Soroban; `addressV2` of protocol 27
 * has a signature that also covers the address (CAP-71). Both name the signer, with a nonce and a last
 * ledger. `sourceAccount` relies on the transaction's own signature, which a facilitator that rebuilds the
 * transaction can never supply; `delegated` adds further signers.
 */
export type CredentialKind = 'address' | 'addressV2' | 'sourceAccount' | 'delegated';

/** An authorization entry that names its signer. */
export interface AddressAuthorization {
  readonly kind: 'address' | 'addressV2';
  /** `undefined` if the signer is neither an account nor a contract. */
  readonly address: StellarAddress | undefined;
  readonly nonce: bigint;
  /** Last ledger in which the authorization is valid. */
  readonly expirationLedger: number;
  readonly signed: boolean;
  readonly invocation: xdr.SorobanAuthorizedInvocation;
}

/** Returns the credentials of either address kind; `undefined` for the other kinds. */
export function addressCredentials(
  credentials: xdr.SorobanCredentials,
): xdr.SorobanAddressCredentials | undefined {
  switch (credentials.type) {
    case 'sorobanCredentialsAddress':
      return credentials.address;
    case 'sorobanCredentialsAddressV2':
      return credentials.addressV2;
    default:
      return undefined;
  }
}

/** Returns the kind of an entry's credentials. */
export function credentialKind(entry: xdr.SorobanAuthorizationEntry): CredentialKind {
  switch (entry.credentials.type) {
    case 'sorobanCredentialsAddress':
      return 'address';
    case 'sorobanCredentialsAddressV2':
      return 'addressV2';
    case 'sorobanCredentialsSourceAccount':
      return 'sourceAccount';
    default:
      return 'delegated';
  }
}

/** Reads an entry with address credentials of either kind; `undefined` for other credentials. */
export function readAuthorization(
  entry: xdr.SorobanAuthorizationEntry,
): AddressAuthorization | undefined {
  const credentials = addressCredentials(entry.credentials);
  if (credentials === undefined) return undefined;
  return {
    kind: entry.credentials.type === 'sorobanCredentialsAddress' ? 'address' : 'addressV2',
    address: readScAddress(credentials.address),
    nonce: credentials.nonce,
    expirationLedger: credentials.signatureExpirationLedger,
    signed: credentials.signature.type !== 'scvVoid',
    invocation: entry.rootInvocation,
  };
}
