import { createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { encodeStrKey } from '../../protocol/index.ts';
import type { LocalAccount } from './genesisAccounts.ts';

/** A key pair that this network holds itself. */
export class LocalKey implements LocalAccount {
  readonly address: string;
  readonly publicKey: xdr.PublicKey;
  readonly #seed: Uint8Array;
  readonly #key: KeyObject;

  /** @param seed the 32 bytes of an Ed25519 seed */
  constructor(seed: Uint8Array) {
    this.#seed = seed;
    this.#key = privateKey(seed);
    const bytes = publicKeyBytes(this.#key);
    this.address = encodeStrKey('account', bytes);
    this.publicKey = xdr.PublicKey.publicKeyTypeEd25519(bytes);
  }

  /** Derives a key from the network's seed and a role; none tells anything of another. */
  static derive(networkSeed: string, role: string): LocalKey {
    return new LocalKey(createHmac('sha256', networkSeed).update(`svc-x402 ${role}`).digest());
  }

  get secret(): string {
    return encodeStrKey('secretSeed', this.#seed);
  }

  sign(message: Uint8Array): Buffer {
    return sign(null, message, this.#key);
  }

  /** What stands beside a transaction's envelope. */
  decorate(hash: Uint8Array): xdr.DecoratedSignature {
    return new xdr.DecoratedSignature({
      hint: this.publicKey.ed25519.value.slice(-4),
      signature: this.sign(hash),
    });
  }
}

/**
 * Read from a JWK rather than from DER, which takes twenty times as long: a network has 55 keys, and its start is waited
 * for. A JWK has to name the public key too, but only the private one is read.
 */
function privateKey(seed: Uint8Array): KeyObject {
  const d = Buffer.from(seed).toString('base64url');
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x: d }, format: 'jwk' });
}

function publicKeyBytes(key: KeyObject): Uint8Array {
  const { x } = key.export({ format: 'jwk' });
  if (x === undefined) throw new TypeError('an Ed25519 key has a public half');
  return new Uint8Array(Buffer.from(x, 'base64url'));
}
