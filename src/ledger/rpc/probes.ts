import { getLedgerEntries } from './getLedgerEntries.ts';
import type { RpcMethod } from './rpcMethods.ts';
import { envelopeOf } from './sendTransaction.ts';
import { simulateTransaction } from './simulateTransaction.ts';

/** Makes what a probe reads be there. */
export type Settle = (probe: () => void) => Promise<void>;

/** For the methods that read the state: what reads the same and changes nothing. */
export const PROBES: ReadonlyMap<string, RpcMethod> = new Map<string, RpcMethod>([
  ['getLedgerEntries', getLedgerEntries],
  ['simulateTransaction', simulateTransaction],
  ['sendTransaction', ({ service }, params) => service.rehearse(envelopeOf(params))],
]);
