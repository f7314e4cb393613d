import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { encodeStrKey } from '../../protocol/index.ts';
import type { LocalAccount } from './genesisAccounts.ts';

/** DER frame of an Ed25519 private key in PKCS #8 (RFC 8410); the 32 bytes of the key's seed follow. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A key pair that this network holds itself. */
export class LocalKey implements LocalAccount {
  readonly address: string;
  readonly publicKey: xdr.PublicKey;
  readonly #seed: Uint8Array;
  readonly #key: KeyObject;

  /** @param seed the 32 bytes of an Ed25519 seed */
  constructor(seed: Uint8Array) {
    this.#seed = seed;
    const key = Buffer.concat([PKCS8_ED25519, seed]);
    this.#key = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(this.#key).export({ format: 'der', type: 'spki' });
    const bytes = new Uint8Array(spki.subarray(-32));
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
