import { getLedgerEntries } from './getLedgerEntries.ts';
import type { RpcMethod } from './rpcMethods.ts';
import { envelopeOf } from './sendTransaction.ts';
import { simulateTransaction } from './simulateTransaction.ts';

/** Loads the entries that a dry run reads. */
export type PrefetchEntries = (dryRun: () => void) => Promise<void>;

/** The methods that read the state, each as a run that reads the same entries and changes nothing. */
export const DRY_RUNS: ReadonlyMap<string, RpcMethod> = new Map<string, RpcMethod>([
  ['getLedgerEntries', getLedgerEntries],
  ['simulateTransaction', simulateTransaction],
  ['sendTransaction', ({ service }, params) => service.rehearse(envelopeOf(params))],
]);
