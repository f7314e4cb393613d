export type { GenesisAccounts, LocalAccount } from './genesisAccounts.ts';
export {
  GENESIS_CONTRACTS,
  GENESIS_MODULES,
  type GenesisContractName,
  type GenesisModuleName,
  type GenesisModules,
  genesisContractEntries,
  genesisContractId,
  instanceKey,
} from './genesisContracts.ts';
export { type GenesisKeys, genesisAccounts, genesisKeys, LocalKey } from './genesisKeys.ts';
export { genesisState, networkIdOf, ttlOf } from './genesisState.ts';
export { NATIVE, USDC } from './usdc.ts';
