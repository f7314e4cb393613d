import { getEvents } from './getEvents.ts';
import { getLedgerEntries } from './getLedgerEntries.ts';
import { getLatestLedger, getLedgers } from './getLedgers.ts';
import { getTransaction, getTransactions } from './getTransactions.ts';
import { getFeeStats, getHealth, getNetwork, getVersionInfo } from './networkMethods.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import { sendTransaction } from './sendTransaction.ts';
import { simulateTransaction } from './simulateTransaction.ts';

const METHODS = {
  getEvents,
  getFeeStats,
  getHealth,
  getLatestLedger,
  getLedgerEntries,
  getLedgers,
  getNetwork,
  getTransaction,
  getTransactions,
  getVersionInfo,
  sendTransaction,
  simulateTransaction,
};

type Methods = typeof METHODS;

/** Result of each method, before JSON encoding. */
export type RpcResults = {
  readonly [Method in keyof Methods]: Awaited<ReturnType<Methods[Method]>>;
};

/** A method: returns the call's result, or throws an RpcError. */
export type RpcMethod = (
  network: RpcNetwork,
  params: RpcParams,
) => RpcResults[keyof RpcResults] | Promise<RpcResults[keyof RpcResults]>;

/** The methods of Stellar RPC, by name. */
export const RPC_METHODS: ReadonlyMap<string, RpcMethod> = new Map<string, RpcMethod>(
  Object.entries(METHODS),
);

export const RPC_METHOD_NAMES: readonly string[] = [...RPC_METHODS.keys()];
