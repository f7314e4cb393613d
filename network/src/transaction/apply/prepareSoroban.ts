import type { LedgerTxn } from '../../state/index.ts';
import type { ParsedTransaction } from '../envelope/index.ts';
import type { TransactionMetaBuilder } from '../meta/index.ts';
import type { TransactionOutcome } from '../result/index.ts';
import type { TransactionEnvironment } from '../transactionEnvironment.ts';
import { checkOperation, checkOperationSource } from '../validation/index.ts';
import { prepareTransaction } from './prepareTransaction.ts';

/**
 * Prepares a Soroban transaction and checks its operation. Both happen for all transactions of the phase before the first
 * operation runs (stellar-core `TransactionFrame::preParallelApply`).
 */
export function prepareSorobanTransaction(
  ltx: LedgerTxn,
  tx: ParsedTransaction,
  env: TransactionEnvironment,
  outcome: TransactionOutcome,
  meta: TransactionMetaBuilder,
): void {
  prepareTransaction(ltx, tx, env, outcome, meta);
  const [operation] = tx.inner.operations;
  if (!outcome.success || operation === undefined) return;
  const refused = checkOperation(operation, tx.inner, ltx, env, meta.log, checkOperationSource);
  if (refused === undefined) return;
  outcome.operations[0] = refused;
  outcome.fail('txFailed');
}
