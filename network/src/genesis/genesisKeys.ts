import { USDC_ISSUER } from '../../../common/testnetAssets.ts';
import { assetContractId } from '../transaction/events/index.ts';
import type { GenesisAccounts } from './genesisAccounts.ts';
import { LocalKey } from './localKey.ts';
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
