import { randomBytes } from 'node:crypto';
import { openEd25519Key } from '../../machine/index.ts';
import { type AccountAddress, encodeStrKey } from '../../protocol/index.ts';
import { accountAddressOf } from '../../protocol/stellar/index.ts';

/** A key for a single test payment. It does not expose its secret. */
export interface ThrowawayKey {
  readonly address: AccountAddress;
  readonly publicKey: Uint8Array;
  readonly signHash: (hash: Uint8Array) => Uint8Array;
}

/** A key to be stored in the editor's secret storage. */
export interface StoredKey extends ThrowawayKey {
  /** `S…` */
  readonly secret: string;
}

function keyOf(seed: Uint8Array): ThrowawayKey {
  const { publicKey, sign } = openEd25519Key(seed);
  return { address: accountAddressOf(publicKey), publicKey, signHash: sign };
}

/** Creates a key, in memory only. */
export function throwawayKey(): ThrowawayKey {
  return keyOf(randomBytes(32));
}

/** Creates a key with its secret. */
export function storedKey(): StoredKey {
  const seed = randomBytes(32);
  return { ...keyOf(seed), secret: encodeStrKey('secretSeed', seed) };
}
