import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';
import { type AccountAddress, encodeStrKey } from '../../protocol/index.ts';
import { accountAddressOf } from '../../protocol/stellar/index.ts';

/** DER frame of an Ed25519 private key in PKCS #8 (RFC 8410); the 32 seed bytes follow. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A key that lives as long as one test payment. Its secret cannot be read from it. */
export interface ThrowawayKey {
  readonly address: AccountAddress;
  readonly publicKey: Uint8Array;
  readonly signHash: (hash: Uint8Array) => Uint8Array;
}

/** A key that is kept, in the editor's secret storage. */
export interface StoredKey extends ThrowawayKey {
  /** `S…` */
  readonly secret: string;
}

function keyOf(seed: Uint8Array): ThrowawayKey {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    address: accountAddressOf(publicKey),
    publicKey,
    signHash: (hash) => sign(null, hash, key),
  };
}

/** Makes a key, in memory only. */
export function throwawayKey(): ThrowawayKey {
  return keyOf(randomBytes(32));
}

/** Makes a key with its secret. */
export function storedKey(): StoredKey {
  const seed = randomBytes(32);
  return { ...keyOf(seed), secret: encodeStrKey('secretSeed', seed) };
}
