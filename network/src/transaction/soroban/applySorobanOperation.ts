import { xdr } from '@stellar/stellar-sdk';
import { sha256Of } from '../../../../common/machine/sha256.ts';
import { isSorobanBody, type ParsedTransaction } from '../envelope/index.ts';
import type { TransactionMetaBuilder } from '../meta/transactionMeta.ts';
import type { TransactionOutcome } from '../result/transactionOutcome.ts';
import type { TransactionEnvironment } from '../transactionEnvironment.ts';
import { extendFootprintTtl } from './extendFootprintTtl.ts';
import { footprintKey } from './footprintKeys.ts';
import { invokeHostFunction } from './invokeHostFunction.ts';
import { restoreFootprint } from './restoreFootprint.ts';
import { SorobanChanges } from './sorobanChanges.ts';
import type { SorobanLedger } from './sorobanLedger.ts';
import type { SorobanContext, SorobanResult } from './sorobanOperation.ts';

/**
 * Applies the operation of a Soroban transaction, if it passed its checks
 * (stellar-core `TransactionFrame::parallelApply`).
 *
 * @param prngSeed 32 bytes that are unique to this transaction
 */
export function applySorobanOperation(
  ledger: SorobanLedger,
  tx: ParsedTransaction,
  env: TransactionEnvironment,
  outcome: TransactionOutcome,
  meta: TransactionMetaBuilder,
  prngSeed: Uint8Array,
): void {
  const { inner } = tx;
  const { sorobanData: data } = inner;
  const { refundable } = outcome;
  if (data === undefined) return;
  const { readOnly, readWrite } = data.resources.footprint;
  // Even a refused transaction ends the postponement for the keys in its footprint.
  for (const key of readWrite) {
    const { ttl } = footprintKey(key);
    if (ttl !== undefined) ledger.release(ttl.id);
  }
  if (!outcome.success || refundable === undefined) return;
  const changes = new SorobanChanges(ledger);
  try {
    const applied = apply({ tx: inner, data, env, changes, refundable, log: meta.log, prngSeed });
    outcome.operations[0] = applied.result;
    if (!applied.success) {
      outcome.fail('txFailed');
      return;
    }
    const tellUnchanged = inner.operations[0]?.body.type === 'restoreFootprint';
    meta.operations.push({ changes: changes.toMeta(tellUnchanged), events: applied.events });
    meta.returnValue = applied.returnValue;
    changes.commit(readOnly.map(footprintKey));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    outcome.fail('txInternalError');
    env.onInternalError?.(tx, error);
  }
}

/** The seed for the i-th transaction of a ledger, counted over all phases. */
export function prngSeedOf(txSetHash: Uint8Array, index: number): Uint8Array {
  const position = Buffer.alloc(8);
  position.writeBigUInt64BE(BigInt(index));
  return sha256Of(txSetHash, position);
}

function apply(ctx: SorobanContext): SorobanResult {
  const [operation] = ctx.tx.operations;
  if (operation === undefined || !isSorobanBody(operation.body)) {
    return {
      result: xdr.OperationResult.opNotSupported(),
      success: false,
      events: [],
      returnValue: null,
    };
  }
  const { body } = operation;
  switch (body.type) {
    case 'invokeHostFunction':
      return invokeHostFunction(ctx, operation, body.invokeHostFunctionOp);
    case 'extendFootprintTtl':
      return extendFootprintTtl(ctx, body.extendFootprintTtlOp.extendTo);
    case 'restoreFootprint':
      return restoreFootprint(ctx);
  }
}
