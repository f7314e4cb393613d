/*
 * One number for a position in history: ledger, transaction from 1, operation. RPC cursors and Horizon ids are made of it
 * (SEP-35).
 */

const OPERATION_BITS = 12n;
const TRANSACTION_BITS = 20n;
export const MAX_OPERATION = (1 << 12) - 1;
export const MAX_TRANSACTION = (1 << 20) - 1;

export interface TotalOrder {
  readonly ledger: number;
  readonly transaction: number;
  readonly operation: number;
}

export function totalOrderId({ ledger, transaction, operation }: TotalOrder): bigint {
  return (
    (BigInt(ledger) << (TRANSACTION_BITS + OPERATION_BITS)) |
    (BigInt(transaction) << OPERATION_BITS) |
    BigInt(operation)
  );
}

export function totalOrderOf(id: bigint): TotalOrder {
  return {
    ledger: Number(id >> (TRANSACTION_BITS + OPERATION_BITS)),
    transaction: Number((id >> OPERATION_BITS) & BigInt(MAX_TRANSACTION)),
    operation: Number(id & BigInt(MAX_OPERATION)),
  };
}
