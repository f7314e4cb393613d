import type { DryRun, WatchReads } from '../state/index.ts';
import { getLedgerEntries } from './getLedgerEntries.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import { envelopeOf } from './sendTransaction.ts';
import { simulateTransaction } from './simulateTransaction.ts';

/** Loads the entries that a dry run reads. */
export type PrefetchEntries = (dryRun: DryRun) => Promise<void>;

type CallRun = (network: RpcNetwork, params: RpcParams, watch: WatchReads) => unknown;

/** The methods that read the state, each as a dry run that reads the same entries without changing anything. */
export const DRY_RUNS: ReadonlyMap<string, CallRun> = new Map<string, CallRun>([
  ['getLedgerEntries', (network, params, watch) => watch(() => getLedgerEntries(network, params))],
  // Dry runs are not reported as simulations.
  [
    'simulateTransaction',
    (network, params, watch) =>
      simulateTransaction({ ...network, simulated: undefined }, params, watch),
  ],
  [
    'sendTransaction',
    ({ service }, params, watch) => {
      const envelope = envelopeOf(params);
      watch(() => service.rehearse(envelope));
    },
  ],
]);
