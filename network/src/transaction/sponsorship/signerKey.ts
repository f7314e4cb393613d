import type { xdr } from '@stellar/stellar-sdk';

const RANK: Record<xdr.SignerKey['type'], number> = {
  signerKeyTypeEd25519: 0,
  signerKeyTypePreAuthTx: 1,
  signerKeyTypeHashX: 2,
  signerKeyTypeEd25519SignedPayload: 3,
};

/** Orders signer keys as in an account: by type, key and payload. */
export function compareSignerKeys(a: xdr.SignerKey, b: xdr.SignerKey): number {
  if (
    a.type === 'signerKeyTypeEd25519SignedPayload' &&
    b.type === 'signerKeyTypeEd25519SignedPayload'
  ) {
    const left = a.ed25519SignedPayload;
    const right = b.ed25519SignedPayload;
    return (
      Buffer.compare(left.ed25519.value, right.ed25519.value) ||
      Buffer.compare(left.payload, right.payload)
    );
  }
  return RANK[a.type] - RANK[b.type] || Buffer.compare(keyBytes(a), keyBytes(b));
}

/** The position of a signer among an account's signers, or where to insert it. */
export function findSigner(
  signers: readonly xdr.Signer[],
  key: xdr.SignerKey,
): { readonly index: number; readonly signer: xdr.Signer | undefined } {
  const found = signers.findIndex((signer) => compareSignerKeys(signer.key, key) >= 0);
  const index = found === -1 ? signers.length : found;
  const signer = signers[index];
  const matches = signer !== undefined && compareSignerKeys(signer.key, key) === 0;
  return { index, signer: matches ? signer : undefined };
}

function keyBytes(key: xdr.SignerKey): Uint8Array {
  switch (key.type) {
    case 'signerKeyTypeEd25519':
      return key.ed25519.value;
    case 'signerKeyTypePreAuthTx':
      return key.preAuthTx.value;
    case 'signerKeyTypeHashX':
      return key.hashX.value;
    case 'signerKeyTypeEd25519SignedPayload':
      return key.ed25519SignedPayload.ed25519.value;
  }
}
