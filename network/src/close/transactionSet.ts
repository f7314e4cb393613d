import { createHash } from 'node:crypto';
import type { xdr } from '@stellar/stellar-sdk';
import { ParsedTransaction } from '../transaction/index.ts';
import { encodeXdr } from '../xdr/index.ts';

/** A transaction of a set, and the base fee of its component. */
export interface PlacedTransaction {
  readonly tx: ParsedTransaction;
  /** Stroops per operation; null if each transaction pays its own bid. */
  readonly baseFee: bigint | null;
}

/** Transactions that must run one after another, because they touch the same entries. */
export type Cluster = readonly PlacedTransaction[];
/** Clusters that do not touch each other. */
export type Stage = readonly Cluster[];

/** The transactions of a ledger: classic ones, then the stages of the Soroban phase. */
export interface TransactionPhases {
  readonly classic: readonly PlacedTransaction[];
  readonly stages: readonly Stage[];
}

/** Reads a transaction set, keeping its order. */
export function phasesOf(
  set: xdr.GeneralizedTransactionSet,
  networkId: Uint8Array,
): TransactionPhases {
  const classic: PlacedTransaction[] = [];
  const stages: Stage[] = [];
  const place = (envelope: xdr.TransactionEnvelope, baseFee: bigint | null): PlacedTransaction => ({
    tx: new ParsedTransaction(networkId, envelope),
    baseFee,
  });
  for (const phase of set.v1TxSet.phases) {
    if (phase.type === 'v0Components') {
      for (const { txsMaybeDiscountedFee } of phase.v0Components) {
        const { txs, baseFee } = txsMaybeDiscountedFee;
        for (const envelope of txs) classic.push(place(envelope, baseFee));
      }
    } else {
      const { executionStages, baseFee } = phase.parallelTxsComponent;
      for (const stage of executionStages) {
        stages.push(stage.map((cluster) => cluster.map((tx) => place(tx, baseFee))));
      }
    }
  }
  return { classic, stages };
}

/** SHA-256 of a set's XDR, which is in the header's value and seeds randomness. */
export function transactionSetHash(set: xdr.GeneralizedTransactionSet): Buffer {
  return createHash('sha256').update(encodeXdr(set)).digest();
}

/** Every transaction, phase by phase. */
export function allTransactions({ classic, stages }: TransactionPhases): PlacedTransaction[] {
  return [...classic, ...stages.flat(2)];
}
