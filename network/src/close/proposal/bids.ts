import { inclusionFee, type ParsedTransaction } from '../../transaction/index.ts';

const operationsOf = (tx: ParsedTransaction): bigint => BigInt(Math.max(1, tx.operationCount));

/** A transaction's bid per operation, in stroops, rounded up. */
export function perOperationBid(tx: ParsedTransaction): bigint {
  const operations = operationsOf(tx);
  return (inclusionFee(tx) + operations - 1n) / operations;
}

/** Orders by bid per operation, highest first. Equal bids keep their order of arrival. */
export function byBid(a: ParsedTransaction, b: ParsedTransaction): number {
  const left = inclusionFee(a) * operationsOf(b);
  const right = inclusionFee(b) * operationsOf(a);
  if (left === right) return 0;
  return left > right ? -1 : 1;
}
