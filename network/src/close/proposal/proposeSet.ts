import { xdr } from '@stellar/stellar-sdk';
import type { NetworkSettings } from '../../settings/index.ts';
import type { ParsedTransaction } from '../../transaction/index.ts';
import { headerHash } from '../sealHeader.ts';
import type { PlacedTransaction, TransactionPhases } from '../transactionSet.ts';
import { type Chosen, chooseClassic } from './classicPhase.ts';
import { type ChosenSoroban, chooseSoroban } from './sorobanPhase.ts';

/** The transactions of the next ledger: the set that the network agrees on, and the phases read from it. */
export interface ProposedSet {
  readonly set: xdr.GeneralizedTransactionSet;
  readonly phases: TransactionPhases;
}

/** Builds the next ledger's set from the waiting transactions, within the ledger's limits (stellar-core `TxSetFrame.cpp`). */
export function proposeSet(
  waiting: readonly ParsedTransaction[],
  header: xdr.LedgerHeader,
  settings: NetworkSettings,
): ProposedSet {
  const classic = chooseClassic(
    waiting.filter((tx) => !tx.isSoroban),
    header,
  );
  const soroban = chooseSoroban(
    waiting.filter((tx) => tx.isSoroban),
    settings,
    header,
  );
  const sequential = sorted(classic.transactions);
  const stages = canonicalStages(soroban);
  const set = xdr.GeneralizedTransactionSet.v1TxSet(
    new xdr.TransactionSetV1({
      previousLedgerHash: headerHash(header),
      phases: [classicPhase(classic, sequential), sorobanPhase(soroban, stages)],
    }),
  );
  const place = (tx: ParsedTransaction, baseFee: bigint): PlacedTransaction => ({ tx, baseFee });
  return {
    set,
    phases: {
      classic: sequential.map((tx) => place(tx, classic.baseFee)),
      stages: stages.map((stage) =>
        stage.map((cluster) => cluster.map((tx) => place(tx, soroban.baseFee))),
      ),
    },
  };
}

function classicPhase(
  { baseFee }: Chosen,
  transactions: readonly ParsedTransaction[],
): xdr.TransactionPhase {
  if (transactions.length === 0) return xdr.TransactionPhase.v0Components([]);
  return xdr.TransactionPhase.v0Components([
    xdr.TxSetComponent.txsetCompTxsMaybeDiscountedFee(
      new xdr.TxSetComponentTxsMaybeDiscountedFee({
        baseFee,
        txs: transactions.map(({ envelope }) => envelope),
      }),
    ),
  ]);
}

function sorobanPhase(
  { baseFee }: Chosen,
  stages: readonly (readonly (readonly ParsedTransaction[])[])[],
): xdr.TransactionPhase {
  return xdr.TransactionPhase.parallelTxsComponent(
    new xdr.ParallelTxsComponent({
      baseFee: stages.length === 0 ? null : baseFee,
      executionStages: stages.map((stage) =>
        stage.map((cluster) => cluster.map(({ envelope }) => envelope)),
      ),
    }),
  );
}

/** Sets are sorted by hash on every level. */
function canonicalStages({ clusters }: ChosenSoroban): ParsedTransaction[][][] {
  if (clusters.length === 0) return [];
  return [clusters.map(sorted).sort(([a], [b]) => (a && b ? byHash(a, b) : 0))];
}

function sorted(transactions: readonly ParsedTransaction[]): ParsedTransaction[] {
  return [...transactions].sort(byHash);
}

function byHash(a: ParsedTransaction, b: ParsedTransaction): number {
  return Buffer.compare(a.fullHash, b.fullHash);
}
