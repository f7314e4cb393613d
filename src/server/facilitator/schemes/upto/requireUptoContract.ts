import { type ContractAddress, parseContractAddress } from '../../../../protocol/index.ts';
import { instanceKey } from '../../../../protocol/stellar/index.ts';
import { ConfigError } from '../../../configError.ts';
import type { StellarNetwork } from '../../../network/index.ts';

/**
 * Returns the operator's settlement contract after checking that it exists: without it, every `upto`
 * payment would be refused although `/supported` offers the scheme.
 * @returns `undefined` if none is configured; then `upto` is not served
 * @throws ConfigError if it is not a contract address or the contract is not on the network
 */
export async function requireUptoContract(
  id: string | null,
  network: StellarNetwork,
): Promise<ContractAddress | undefined> {
  if (id === null) return undefined;
  const contract = parseContractAddress(id);
  if (contract === undefined) {
    throw new ConfigError([
      'UPTO_CONTRACT_ID is not a contract address (C…) with a valid checksum.',
    ]);
  }
  const [entry] = (await network.getLedgerEntries([instanceKey(contract)])).entries;
  if (entry === undefined) {
    throw new ConfigError([
      `The upto contract ${contract} is not on the network. Deploy or restore it, ` +
        'or unset UPTO_CONTRACT_ID to serve only exact.',
    ]);
  }
  return contract;
}
