import { inclusionFee, type ParsedTransaction } from '../../transaction/index.ts';

/** The factor by which a transaction must outbid a waiting one to replace it. */
const FEE_MULTIPLIER = 10n;
const INT64_MAX = 2n ** 63n - 1n;

/**
 * The total fee that a fee bump must offer to replace a waiting transaction with the same source and sequence number; undefined
 * if it offers enough (stellar-core `TransactionQueue.cpp`, `canReplaceByFee`).
 */
export function missingFee(tx: ParsedTransaction, waiting: ParsedTransaction): bigint | undefined {
  const operations = BigInt(Math.max(1, tx.operationCount));
  const waitingOperations = BigInt(Math.max(1, waiting.operationCount));
  const needed = FEE_MULTIPLIER * inclusionFee(waiting) * operations;
  if (inclusionFee(tx) * waitingOperations >= needed) return undefined;
  const inclusion = (needed + waitingOperations - 1n) / waitingOperations;
  const total = inclusion + tx.fee - inclusionFee(tx);
  return inclusion > INT64_MAX ? INT64_MAX : total;
}
