import { getLedgerEntries } from './getLedgerEntries.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import { envelopeOf } from './sendTransaction.ts';
import { simulateTransaction } from './simulateTransaction.ts';

/** Loads the entries that a dry run reads. */
export type PrefetchEntries = (dryRun: () => void) => Promise<void>;

type DryRun = (network: RpcNetwork, params: RpcParams) => void;

/** The methods that read the state, each as a run that reads the same entries and changes nothing. */
export const DRY_RUNS: ReadonlyMap<string, DryRun> = new Map<string, DryRun>([
  ['getLedgerEntries', getLedgerEntries],
  ['simulateTransaction', simulateTransaction],
  ['sendTransaction', ({ service }, params) => service.rehearse(envelopeOf(params))],
]);
