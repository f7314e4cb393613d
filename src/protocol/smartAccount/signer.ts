import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../../../common/address.ts';
import { addressBytes, toScAddress } from '../stellar/index.ts';
import { compareBytes } from './compareBytes.ts';
import { type SignerKey, toSignerKey, variant } from './signerKey.ts';

/** The contracts that a limited signer may call, each with the signers that must agree as well; `null`: none. */
export type Grants = ReadonlyMap<ContractAddress, readonly SignerKey[] | null>;

/** A signer to add to a smart account or to update in it. */
export interface Signer {
  readonly key: SignerKey;
  /** A passkey's public key, 65 bytes uncompressed (SEC 1). */
  readonly publicKey?: Uint8Array;
  /** Last ledger in which it is valid; `null`: it does not expire. */
  readonly expirationLedger: number | null;
  /** `null`: an owner, which may do everything. */
  readonly grants: Grants | null;
  readonly storage: 'Persistent' | 'Temporary';
}

const nothing = (): xdr.ScVal => xdr.ScVal.scvVoid();

function toGrants(grants: Grants | null): xdr.ScVal {
  if (grants === null) return nothing();
  // The host requires a map's keys in its own order: contracts by their bytes.
  const sorted = [...grants].sort(([a], [b]) => compareBytes(addressBytes(a), addressBytes(b)));
  return xdr.ScVal.scvMap(
    sorted.map(
      ([contract, approvers]) =>
        new xdr.ScMapEntry({
          key: xdr.ScVal.scvAddress(toScAddress(contract)),
          val: approvers === null ? nothing() : xdr.ScVal.scvVec(approvers.map(toSignerKey)),
        }),
    ),
  );
}

/** Builds the value of `Signer` that the account's functions take. */
export function toSigner(signer: Signer): xdr.ScVal {
  const { key, publicKey, expirationLedger, grants, storage } = signer;
  const end = expirationLedger === null ? nothing() : xdr.ScVal.scvU32(expirationLedger);
  const terms = [xdr.ScVal.scvVec([end]), xdr.ScVal.scvVec([toGrants(grants)]), variant(storage)];
  switch (key.kind) {
    case 'policy':
      return variant('Policy', xdr.ScVal.scvAddress(toScAddress(key.policy)), ...terms);
    case 'ed25519':
      return variant('Ed25519', xdr.ScVal.scvBytes(key.publicKey), ...terms);
    case 'secp256r1': {
      if (publicKey === undefined) throw new TypeError('a passkey has a public key');
      const id = xdr.ScVal.scvBytes(key.keyId);
      return variant('Secp256r1', id, xdr.ScVal.scvBytes(publicKey), ...terms);
    }
  }
}
