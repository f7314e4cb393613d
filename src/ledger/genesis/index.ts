export type { GenesisAccounts, LocalAccount } from './genesisAccounts.ts';
export { type GenesisKeys, genesisAccounts, genesisKeys } from './genesisKeys.ts';
export { genesisState, networkIdOf, newAccount } from './genesisState.ts';
export { LocalKey } from './localKey.ts';
