import type { LedgerKeyId, LedgerTxn } from '../state/index.ts';
import {
  applySorobanOperation,
  prepareSorobanTransaction,
  prngSeedOf,
  type ReadArchive,
  SorobanLedger,
  type TransactionEnvironment,
} from '../transaction/index.ts';
import type { TransactionRecord } from './transactionRecord.ts';

/** The records of a stage, cluster by cluster. */
export type RecordStage = readonly (readonly TransactionRecord[])[];

/**
 * Applies the Soroban phase. All its transactions are checked and use up their sequence numbers before the first operation
 * runs; the stages then run one after another (stellar-core `LedgerManagerImpl::applySorobanStages`).
 *
 * @returns the keys of the entries restored from the archive
 */
export function applySorobanPhase(
  ltxLedger: LedgerTxn,
  stages: readonly RecordStage[],
  env: TransactionEnvironment,
  archived: ReadArchive,
  txSetHash: Uint8Array,
): ReadonlySet<LedgerKeyId> {
  for (const { placed, outcome, meta } of stages.flat(2)) {
    prepareSorobanTransaction(ltxLedger, placed.tx, env, outcome, meta);
  }
  const ltx = ltxLedger.child();
  const ledger = new SorobanLedger(ltx, archived);
  for (const stage of stages) {
    for (const cluster of stage) {
      for (const { placed, outcome, meta, index } of cluster) {
        const seed = prngSeedOf(txSetHash, index);
        applySorobanOperation(ledger, placed.tx, env, outcome, meta, seed);
      }
      ledger.endCluster();
    }
    ledger.endStage();
  }
  ltx.commit();
  return ledger.restored;
}
