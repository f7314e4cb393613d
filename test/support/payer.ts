import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { encodeStrKey } from '../../common/strKey.ts';
import type { AccountAddress } from '../../src/protocol/index.ts';
import { accountAddressOf } from '../../src/protocol/stellar/index.ts';

/** A keypair that tests sign with. The same name gives the same key. */
export interface TestKey {
  readonly address: AccountAddress;
  readonly secret: string;
  readonly publicKey: Uint8Array;
  sign(hash: Uint8Array): Uint8Array;
}

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

const made = new Map<string, TestKey>();

/** The key of a name. */
export function testKey(name: string): TestKey {
  const known = made.get(name) ?? makeKey(name);
  made.set(name, known);
  return known;
}

function makeKey(name: string): TestKey {
  const seed = createHash('sha256').update(`test key ${name}`).digest();
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    address: accountAddressOf(publicKey),
    secret: encodeStrKey('secretSeed', seed),
    publicKey,
    sign: (hash) => sign(null, hash, key),
  };
}
