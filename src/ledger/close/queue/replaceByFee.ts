import { inclusionFee, type ParsedTransaction } from '../../transaction/index.ts';

/** How many times the bid of a waiting transaction another one must bid to take its place. */
const FEE_MULTIPLIER = 10n;
const INT64_MAX = 2n ** 63n - 1n;

/**
 * What a fee bump must bid in all to take the place of a waiting transaction of the same source and sequence number;
 * undefined when it bids enough (stellar-core `TransactionQueue.cpp`, `canReplaceByFee`).
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
