import { openEd25519Key } from '../../machine/index.ts';
import type { AccountAddress } from '../../protocol/index.ts';
import { decodeStrKey } from '../../protocol/index.ts';
import { accountAddressOf } from '../../protocol/stellar/index.ts';

/** An account whose secret the service holds. The secret itself cannot be read back from it. */
export interface Signer {
  readonly address: AccountAddress;
  readonly publicKey: Uint8Array;
  /** Signs a 32-byte hash; returns the 64 bytes of an Ed25519 signature. */
  sign(hash: Uint8Array): Uint8Array;
}

/** Opens a secret (`S…`); `undefined` if it is malformed. */
export function openSigner(secret: string): Signer | undefined {
  const seed = decodeStrKey('secretSeed', secret);
  if (seed === undefined) return undefined;
  const { publicKey, sign } = openEd25519Key(seed);
  return { address: accountAddressOf(publicKey), publicKey, sign };
}
