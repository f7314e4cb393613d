import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import type { InnerTransaction, ParsedOperation, ParsedTransaction } from '../envelope/index.ts';
import { CollectedEvents, droppedEvents } from '../events/index.ts';
import type { OperationRecord, TransactionMetaBuilder } from '../meta/transactionMeta.ts';
import { rulesFor, succeeded } from '../operations/index.ts';
import type { TransactionOutcome } from '../result/transactionOutcome.ts';
import { hasOpenSponsorship } from '../sponsorship/index.ts';
import type { TransactionEnvironment } from '../transactionEnvironment.ts';
import { checkOperation, checkOperationSource } from '../validation/checkTransaction.ts';

/**
 * Applies the operations of a classic transaction one after another. All are tried even if one fails, so that each has a
 * result; their changes are then discarded (stellar-core `TransactionFrame::applyOperations`).
 */
export function applyClassicOperations(
  ltxLedger: LedgerTxn,
  tx: ParsedTransaction,
  env: TransactionEnvironment,
  outcome: TransactionOutcome,
  meta: TransactionMetaBuilder,
): void {
  const ltx = ltxLedger.child();
  try {
    for (const operation of tx.inner.operations) {
      const { result, record } = applyOperation(ltx, tx.inner, operation, env, meta);
      outcome.operations[operation.index] = result;
      if (record === undefined) outcome.fail('txFailed');
      else meta.operations.push(record);
    }
    if (!outcome.success) return;
    if (hasOpenSponsorship(ltx)) outcome.fail('txBadSponsorship');
    else ltx.commit();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The rules contradict the ledger. As in stellar-core, the transaction pays and does nothing.
    outcome.fail('txInternalError');
    env.onInternalError?.(tx, error);
  }
}

interface Applied {
  readonly result: xdr.OperationResult;
  /** Undefined if the operation failed. */
  readonly record: OperationRecord | undefined;
}

function applyOperation(
  ltxTransaction: LedgerTxn,
  tx: InnerTransaction,
  operation: ParsedOperation,
  env: TransactionEnvironment,
  meta: TransactionMetaBuilder,
): Applied {
  const ltx = ltxTransaction.child();
  const refused = checkOperation(operation, tx, ltx, env, meta.log, checkOperationSource);
  if (refused !== undefined) return { result: refused, record: undefined };
  const rules = rulesFor(operation.body.type);
  if (rules === undefined) {
    return { result: xdr.OperationResult.opNotSupported(), record: undefined };
  }
  const collected = env.classicEvents ? new CollectedEvents(env.networkId, tx.memo) : undefined;
  const result = rules.apply({
    ltx,
    body: operation.body,
    source: operation.source,
    muxedSource: operation.muxedSource,
    tx: {
      networkId: env.networkId,
      sourceAccount: tx.source,
      seqNum: tx.seqNum,
      memo: tx.memo,
    },
    index: operation.index,
    events: collected ?? droppedEvents,
    frozenKeys: env.settings.frozenKeys,
  });
  if (!succeeded(result)) return { result, record: undefined };
  const record = { changes: ltx.changes(), events: [...(collected?.events ?? [])] };
  ltx.commit();
  return { result, record };
}
