import * as xdr from '@stellar/stellar-sdk/xdr';
import type { ContractAddress } from '../../../common/address.ts';
import { readScAddress, toScAddress } from '../stellar/index.ts';

/** The name of a signer of a smart account. */
export type SignerKey =
  | { readonly kind: 'policy'; readonly policy: ContractAddress }
  | { readonly kind: 'ed25519'; readonly publicKey: Uint8Array }
  /** A passkey, by the id of its credential. */
  | { readonly kind: 'secp256r1'; readonly keyId: Uint8Array };

const NAMES = { policy: 'Policy', ed25519: 'Ed25519', secp256r1: 'Secp256r1' } as const;

/** Builds the Soroban value of a variant: its name, then its values. */
export function variant(name: string, ...values: xdr.ScVal[]): xdr.ScVal {
  return xdr.ScVal.scvVec([xdr.ScVal.scvSymbol(name), ...values]);
}

export function toSignerKey(key: SignerKey): xdr.ScVal {
  const name = NAMES[key.kind];
  switch (key.kind) {
    case 'policy':
      return variant(name, xdr.ScVal.scvAddress(toScAddress(key.policy)));
    case 'ed25519':
      return variant(name, xdr.ScVal.scvBytes(key.publicKey));
    case 'secp256r1':
      return variant(name, xdr.ScVal.scvBytes(key.keyId));
  }
}

/** Reads the name of a signer; `undefined` if the value is not one. */
export function readSignerKey(value: xdr.ScVal): SignerKey | undefined {
  const [name, held, ...others] = value.type === 'scvVec' ? (value.vec ?? []) : [];
  if (name?.type !== 'scvSymbol' || held === undefined || others.length > 0) return undefined;
  const kind = name.sym.toString();
  if (kind === NAMES.policy && held.type === 'scvAddress') {
    const { address } = held;
    if (address.type !== 'scAddressTypeContract') return undefined;
    return { kind: 'policy', policy: readScAddress(address) as ContractAddress };
  }
  if (held.type !== 'scvBytes') return undefined;
  const bytes = held.bytes.value;
  if (kind === NAMES.ed25519) return { kind: 'ed25519', publicKey: bytes };
  if (kind === NAMES.secp256r1) return { kind: 'secp256r1', keyId: bytes };
  return undefined;
}
