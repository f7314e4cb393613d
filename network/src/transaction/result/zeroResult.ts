import { xdr } from '@stellar/stellar-sdk';
import type { OperationType } from '../operations/index.ts';

/** Size of the zero value, in bytes, for results that consist of more than a code. */
const BYTES: Partial<Record<OperationType, number>> = {
  pathPaymentStrictReceive: 56,
  pathPaymentStrictSend: 56,
  manageSellOffer: 88,
  manageBuyOffer: 88,
  createPassiveSellOffer: 88,
  accountMerge: 12,
  inflation: 8,
  createClaimableBalance: 40,
  invokeHostFunction: 36,
};
const CODE_BYTES = 4;
const HEADER_BYTES = 8;

const known = new Map<OperationType, xdr.OperationResult>();

/**
 * The result of an operation that was never reached, in a transaction that failed for another reason: the zero value of its
 * result type, which reads as a success that did nothing (stellar-core `initializeOperationResults`).
 */
export function zeroResult(type: OperationType): xdr.OperationResult {
  let result = known.get(type);
  if (result === undefined) {
    const bytes = Buffer.alloc(HEADER_BYTES + (BYTES[type] ?? CODE_BYTES));
    bytes.writeInt32BE(xdr.OperationType.fromName(type).value, CODE_BYTES);
    result = xdr.OperationResult.fromXdr(bytes);
    known.set(type, result);
  }
  return result;
}
