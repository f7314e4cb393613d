import { inclusionFee, type ParsedTransaction } from '../../transaction/index.ts';

const operationsOf = (tx: ParsedTransaction): bigint => BigInt(Math.max(1, tx.operationCount));

/** What a transaction bids for each of its operations, in stroops, rounded up. */
export function perOperationBid(tx: ParsedTransaction): bigint {
  const operations = operationsOf(tx);
  return (inclusionFee(tx) + operations - 1n) / operations;
}

/** The highest bid an operation first; who came first, where bids are equal. */
export function byBid(a: ParsedTransaction, b: ParsedTransaction): number {
  const left = inclusionFee(a) * operationsOf(b);
  const right = inclusionFee(b) * operationsOf(a);
  if (left === right) return 0;
  return left > right ? -1 : 1;
}
