/** The parts of the network that the rest of the service may use. */
export { askHorizon } from './askHorizon.ts';
export type { NetworkHealth } from './getHealth.ts';
export type { EntriesAnswer, LedgerEntries } from './getLedgerEntries.ts';
export type { TransactionLookup } from './getTransaction.ts';
export { RpcError, type RpcErrorCode } from './rpcError.ts';
export type { Submission } from './sendTransaction.ts';
export type { Simulation, SimulationFailure, SimulationSuccess } from './simulateTransaction.ts';
export { connectNetwork, type StellarNetwork } from './stellarNetwork.ts';
