import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { AccountAddress } from '../../protocol/index.ts';
import { decodeStrKey } from '../../protocol/index.ts';
import { accountAddressOf } from '../../protocol/stellar/index.ts';

/** DER frame of an Ed25519 private key in PKCS #8 (RFC 8410); the 32 seed bytes follow. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** An account whose secret the service holds. The secret itself cannot be read back from it. */
export interface Signer {
  readonly address: AccountAddress;
  readonly publicKey: Uint8Array;
  /** Signs 32 bytes of hash; gives the 64 bytes of an Ed25519 signature. */
  sign(hash: Uint8Array): Uint8Array;
}

/** Opens a secret (`S…`); `undefined` when it is malformed. */
export function openSigner(secret: string): Signer | undefined {
  const seed = decodeStrKey('secretSeed', secret);
  if (seed === undefined) return undefined;
  const key: KeyObject = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    address: accountAddressOf(publicKey),
    publicKey,
    sign: (hash) => sign(null, hash, key),
  };
}
