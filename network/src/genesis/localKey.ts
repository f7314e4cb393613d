import { createHmac } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { type Ed25519Key, openEd25519Key } from '../../../common/machine/ed25519Key.ts';
import { encodeStrKey } from '../../../common/strKey.ts';
import type { LocalAccount } from './genesisAccounts.ts';

/** A key pair held by this network. */
export class LocalKey implements LocalAccount {
  readonly address: string;
  readonly publicKey: xdr.PublicKey;
  readonly #seed: Uint8Array;
  readonly #key: Ed25519Key;

  /** @param seed the 32 bytes of an Ed25519 seed */
  constructor(seed: Uint8Array) {
    this.#seed = seed;
    this.#key = openEd25519Key(seed);
    const bytes = this.#key.publicKey;
    this.address = encodeStrKey('account', bytes);
    this.publicKey = xdr.PublicKey.publicKeyTypeEd25519(bytes);
  }

  /** Derives a key from the network's seed and a role. One key reveals nothing about another. */
  static derive(networkSeed: string, role: string): LocalKey {
    return new LocalKey(createHmac('sha256', networkSeed).update(`svc-x402 ${role}`).digest());
  }

  get secret(): string {
    return encodeStrKey('secretSeed', this.#seed);
  }

  sign(message: Uint8Array): Buffer {
    return this.#key.sign(message);
  }

  /** The signature for a transaction's envelope. */
  decorate(hash: Uint8Array): xdr.DecoratedSignature {
    return new xdr.DecoratedSignature({
      hint: this.publicKey.ed25519.value.slice(-4),
      signature: this.sign(hash),
    });
  }
}
