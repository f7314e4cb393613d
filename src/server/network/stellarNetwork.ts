import type * as xdr from '@stellar/stellar-sdk/xdr';
import type { FateReader } from '../../protocol/fate/index.ts';
import type { SettlementHash } from '../../protocol/index.ts';
import type { Clock } from '../clock.ts';
import { createCloseTimeEstimate } from './closeTimeEstimate.ts';
import { gatherReads } from './gatherReads.ts';
import { getFeeStats } from './getFeeStats.ts';
import { getLatestLedger } from './getLatestLedger.ts';
import { type EntriesAnswer, getLedgerEntries, type LedgerEntries } from './getLedgerEntries.ts';
import { getLedgers } from './getLedgers.ts';
import { getNetwork, type NetworkDescription } from './getNetwork.ts';
import { getTransaction, type TransactionLookup } from './getTransaction.ts';
import { createInclusionFeeEstimate } from './inclusionFeeEstimate.ts';
import { createJsonRpcTransport, type TransportOptions } from './jsonRpcTransport.ts';
import { retryTransient } from './retryTransient.ts';
import { searchMovements } from './searchMovements.ts';
import { type Submission, sendTransaction } from './sendTransaction.ts';
import { type Simulation, simulateTransaction } from './simulateTransaction.ts';

/**
 * The Stellar network for the service: its RPC server, embedded or remote, by URL.
 * Reads that a settlement depends on are repeated once if there is no response.
 * Every method rejects with `RpcError` without a readable response.
 */
export interface StellarNetwork {
  getNetwork(): Promise<NetworkDescription>;
  getLatestLedger(): Promise<number>;
  getLedgerEntries(keys: readonly xdr.LedgerKey[]): Promise<LedgerEntries>;
  /** Like `getLedgerEntries`, for keys in base64 XDR and with undecoded entries. */
  readEntries(keys: readonly string[]): Promise<EntriesAnswer>;
  /** Like the previous method, but without a retry. */
  glanceAt(keys: readonly string[]): Promise<EntriesAnswer>;
  simulate(transaction: string): Promise<Simulation>;
  send(transaction: string): Promise<Submission>;
  lookUp(hash: SettlementHash): Promise<TransactionLookup>;
  /** Searches some ledgers for transactions that may have moved an asset between two addresses. */
  searchMovements: FateReader['movements'];
  /** Whether a response as of `ledger` is older than an earlier response. */
  isBehind(ledger: number): boolean;
  /** The last measured duration of a ledger, in seconds; never waits. */
  ledgerSeconds(latestLedger: number): number;
  /** Returns the last measured inclusion fee of others, in stroops; 0 if unknown. Never waits. */
  inclusionFee(): bigint;
  close(): void;
}

/** Two attempts at a read and the pause between them fit into the time that a seller waits. */
const CALL_TIMEOUT_MS = 6_000;
/** A network that was reset, as an embedded one can be, does not count as behind forever. */
const NEWEST_LASTS_MS = 30_000;
/** Enough for every channel and for simultaneous verifications. */
const MAX_CONNECTIONS = 64;

/** Connects to a Stellar RPC server. Nothing is sent until the first call. */
export function connectNetwork(
  options: Pick<TransportOptions, 'url' | 'certificateAuthority' | 'onCall'>,
  clock: Clock,
): StellarNetwork {
  const transport = createJsonRpcTransport({
    timeoutMs: CALL_TIMEOUT_MS,
    maxConnections: MAX_CONNECTIONS,
    ...options,
  });
  const { call } = transport;
  let newest = { ledger: 0, at: 0 };
  function seen<T extends { readonly latestLedger: number }>(answer: T): T {
    const { latestLedger: ledger } = answer;
    const now = clock.elapsed();
    if (ledger >= newest.ledger || now - newest.at > NEWEST_LASTS_MS) newest = { ledger, at: now };
    return answer;
  }
  const gathered = gatherReads(transport.callTogether);
  const estimate = createCloseTimeEstimate((start, limit) => getLedgers(call, start, limit), clock);
  const fees = createInclusionFeeEstimate(() => getFeeStats(call), clock);
  return {
    getNetwork: () => getNetwork(call),
    getLatestLedger: () => getLatestLedger(call),
    getLedgerEntries: async (keys) =>
      seen(await retryTransient(() => getLedgerEntries(gathered.readEntries, keys), clock)),
    readEntries: async (keys) =>
      seen(await retryTransient(() => gathered.readEntries(keys), clock)),
    simulate: async (transaction) =>
      seen(await retryTransient(() => simulateTransaction(call, transaction), clock)),
    send: async (transaction) => seen(await sendTransaction(call, transaction)),
    glanceAt: async (keys) => seen(await gathered.readEntries(keys)),
    lookUp: async (hash) => seen(await getTransaction(gathered.call, hash)),
    searchMovements: (movement, range) =>
      retryTransient(() => searchMovements(call, movement, range), clock),
    isBehind: (ledger) => ledger < newest.ledger,
    ledgerSeconds: (latestLedger) => estimate.seconds(latestLedger),
    inclusionFee: () => fees.stroops(),
    close: () => transport.close(),
  };
}
