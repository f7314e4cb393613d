import * as xdr from '@stellar/stellar-sdk/xdr';
import { compareBytes } from './compareBytes.ts';
import { type SignerKey, toSignerKey, variant } from './signerKey.ts';

/** One signer's part of the signature of a smart account. */
export type SignerSignature =
  | { readonly kind: 'ed25519'; readonly publicKey: Uint8Array; readonly signature: Uint8Array }
  | {
      readonly kind: 'secp256r1';
      readonly keyId: Uint8Array;
      readonly authenticatorData: Uint8Array;
      readonly clientDataJson: Uint8Array;
      /** r and s, 32 bytes each, s in the lower half. */
      readonly signature: Uint8Array;
    };

function member(name: string, bytes: Uint8Array): xdr.ScMapEntry {
  return new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(name), val: xdr.ScVal.scvBytes(bytes) });
}

function toSignature(part: SignerSignature): xdr.ScVal {
  if (part.kind === 'ed25519') return variant('Ed25519', xdr.ScVal.scvBytes(part.signature));
  return variant(
    'Secp256r1',
    xdr.ScVal.scvMap([
      member('authenticator_data', part.authenticatorData),
      member('client_data_json', part.clientDataJson),
      member('signature', part.signature),
    ]),
  );
}

const nameOf = (key: SignerKey): Uint8Array =>
  key.kind === 'ed25519' ? key.publicKey : key.kind === 'secp256r1' ? key.keyId : new Uint8Array();

/** The order in which the host sorts signers: by the name of their kind, then by bytes. */
function order(a: SignerSignature, b: SignerSignature): number {
  return a.kind === b.kind ? compareBytes(nameOf(a), nameOf(b)) : a.kind < b.kind ? -1 : 1;
}

/**
 * Builds the signature of a smart account, as its `__check_auth` expects it: a map of signers to their
 * signatures, in a vector with one element.
 */
export function accountSignature(parts: readonly SignerSignature[]): xdr.ScVal {
  const entries = [...parts]
    .sort(order)
    .map((part) => new xdr.ScMapEntry({ key: toSignerKey(part), val: toSignature(part) }));
  return xdr.ScVal.scvVec([xdr.ScVal.scvMap(entries)]);
}
