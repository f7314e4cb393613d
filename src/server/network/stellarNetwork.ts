import type * as xdr from '@stellar/stellar-sdk/xdr';
import type { SettlementHash } from '../../protocol/index.ts';
import type { Clock } from '../clock.ts';
import { createCloseTimeEstimate } from './closeTimeEstimate.ts';
import { getLatestLedger } from './getLatestLedger.ts';
import { getLedgerEntries, type LedgerEntries } from './getLedgerEntries.ts';
import { getLedgers } from './getLedgers.ts';
import { getNetwork, type NetworkDescription } from './getNetwork.ts';
import { getTransaction, type TransactionLookup } from './getTransaction.ts';
import { createJsonRpcTransport, type TransportOptions } from './jsonRpcTransport.ts';
import { retryTransient } from './retryTransient.ts';
import { type Submission, sendTransaction } from './sendTransaction.ts';
import { type Simulation, simulateTransaction } from './simulateTransaction.ts';

/**
 * The Stellar network as the service sees it: its RPC server, embedded or far away, by URL.
 * Readings that a settlement depends on are repeated once when no answer comes.
 * Every method rejects with `RpcError` when no answer came that could be read.
 */
export interface StellarNetwork {
  getNetwork(): Promise<NetworkDescription>;
  getLatestLedger(): Promise<number>;
  getLedgerEntries(keys: readonly xdr.LedgerKey[]): Promise<LedgerEntries>;
  simulate(transaction: string): Promise<Simulation>;
  send(transaction: string): Promise<Submission>;
  lookUp(hash: SettlementHash): Promise<TransactionLookup>;
  /** Seconds a ledger takes, as last measured; never waits. */
  ledgerSeconds(latestLedger: number): number;
  close(): void;
}

/** Connects to a Stellar RPC server. Nothing is sent until the first call. */
export function connectNetwork(
  options: Pick<TransportOptions, 'url' | 'certificateAuthority' | 'onCall'>,
  clock: Clock,
): StellarNetwork {
  const transport = createJsonRpcTransport({ timeoutMs: 10_000, maxConnections: 64, ...options });
  const { call } = transport;
  const estimate = createCloseTimeEstimate((start, limit) => getLedgers(call, start, limit), clock);
  return {
    getNetwork: () => getNetwork(call),
    getLatestLedger: () => getLatestLedger(call),
    getLedgerEntries: (keys) => retryTransient(() => getLedgerEntries(call, keys), clock),
    simulate: (transaction) => retryTransient(() => simulateTransaction(call, transaction), clock),
    send: (transaction) => sendTransaction(call, transaction),
    lookUp: (hash) => getTransaction(call, hash),
    ledgerSeconds: (latestLedger) => estimate.seconds(latestLedger),
    close: () => transport.close(),
  };
}
