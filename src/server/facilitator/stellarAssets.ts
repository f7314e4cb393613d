import type { ContractAddress } from '../../protocol/index.ts';
import { instanceKey, isStellarAsset } from '../../protocol/stellar/index.ts';
import type { StellarNetwork } from '../network/index.ts';

/** Assets that are remembered at most. */
const MAX_KNOWN = 1_000;

/** Which contracts are Stellar assets, whose balances the ledger itself keeps. Read once each, since none ever stops being one. */
export class StellarAssets {
  readonly #network: Pick<StellarNetwork, 'readEntries'>;
  readonly #known = new Set<ContractAddress>();

  constructor(network: Pick<StellarNetwork, 'readEntries'>) {
    this.#network = network;
  }

  /** Whether a contract is a Stellar asset. Rejects with RpcError. */
  async has(contract: ContractAddress): Promise<boolean> {
    if (this.#known.has(contract)) return true;
    const key = instanceKey(contract).toXdr('base64');
    const { found } = await this.#network.readEntries([key]);
    if (!isStellarAsset(found.get(key)?.xdr)) return false;
    const [oldest] = this.#known;
    if (this.#known.size >= MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    this.#known.add(contract);
    return true;
  }
}
