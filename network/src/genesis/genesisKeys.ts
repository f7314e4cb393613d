import { createHmac } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk';
import { type Ed25519Key, openEd25519Key } from '../../../common/machine/ed25519Key.ts';
import { encodeStrKey } from '../../../common/strKey.ts';
import { USDC_ISSUER } from '../../../common/testnetAssets.ts';
import { assetContractId } from '../transaction/events/index.ts';
import type { GenesisAccounts, LocalAccount } from './genesisAccounts.ts';
import { contractAddress, NATIVE, USDC } from './usdc.ts';

/** Channel accounts of the local facilitator. */
const CHANNEL_COUNT = 50;

/** The keys of a network's first accounts, and of the validator that closes its ledgers. */
export interface GenesisKeys {
  readonly root: LocalKey;
  readonly validator: LocalKey;
  readonly friendbot: LocalKey;
  readonly marketMaker: LocalKey;
  readonly sponsor: LocalKey;
  readonly channels: readonly LocalKey[];
  /** Derives the key of a funded account, by its index from 0. */
  readonly funded: (index: number) => LocalKey;
}

/**
 * Derives all keys of a network deterministically.
 * @param networkId SHA-256 of the passphrase, which is the seed of the root account on every Stellar network
 */
export function genesisKeys(networkId: Uint8Array, seed: string): GenesisKeys {
  const derive = (role: string): LocalKey => LocalKey.derive(seed, role);
  return {
    root: new LocalKey(networkId),
    validator: derive('validator'),
    friendbot: derive('friendbot'),
    marketMaker: derive('market maker'),
    sponsor: derive('sponsor'),
    channels: Array.from({ length: CHANNEL_COUNT }, (_, index) => derive(`channel ${index}`)),
    funded: (index) => derive(`account ${index}`),
  };
}

/** The addresses and secrets of the accounts, for external callers. */
export function genesisAccounts(networkId: Uint8Array, keys: GenesisKeys): GenesisAccounts {
  const { root, friendbot, marketMaker, sponsor, channels } = keys;
  const told = ({ address, secret }: LocalKey) => ({ address, secret });
  return {
    root: told(root),
    friendbot: told(friendbot),
    marketMaker: told(marketMaker),
    sponsor: told(sponsor),
    channels: channels.map(told),
    usdcIssuer: USDC_ISSUER,
    usdcContract: contractAddress(assetContractId(networkId, USDC)),
    nativeContract: contractAddress(assetContractId(networkId, NATIVE)),
  };
}

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
