import { xdr } from '@stellar/stellar-sdk';
import type { ParsedTransaction } from '../envelope/index.ts';
import type { OperationType } from '../operations/index.ts';

/** Why a transaction failed before, or apart from, its operations. */
export type TransactionFailure = Exclude<
  xdr.InnerTransactionResultResult['type'],
  'txSuccess' | 'txFailed'
>;

const NO_EXT = xdr.TransactionResultExt.v0();
const NO_INNER_EXT = xdr.InnerTransactionResultExt.v0();

/**
 * The outcome of a transaction while it is being checked and applied. It starts as a success whose operations did nothing
 * (stellar-core `MutableTransactionResult.cpp`).
 */
export class TransactionOutcome {
  readonly #tx: ParsedTransaction;
  /** Results of the operations, in order. */
  readonly operations: xdr.OperationResult[];
  /** The amount that the fee source paid, in stroops; refunds are deducted again. */
  feeCharged: bigint;
  /** Set for Soroban transactions once the non-refundable part of their fee is known. */
  refundable: RefundableFee | undefined;
  #failure: TransactionFailure | 'txFailed' | undefined;
  #outerFailure: TransactionFailure | undefined;

  constructor(tx: ParsedTransaction, feeCharged: bigint) {
    this.#tx = tx;
    this.feeCharged = feeCharged;
    this.operations = tx.inner.operations.map(({ body }) => zeroResult(body.type));
  }

  get success(): boolean {
    return this.#failure === undefined && this.#outerFailure === undefined;
  }

  /** True if the operations' results count: if the transaction succeeded or an operation failed. */
  get hasOperationResults(): boolean {
    return this.#failure === undefined || this.#failure === 'txFailed';
  }

  /** Records that the transaction (the inner one of a fee bump) failed. */
  fail(failure: TransactionFailure | 'txFailed'): void {
    this.#failure = failure;
    this.refundable?.reset();
  }

  /** Records that the fee bump itself failed, or the transaction, if it is not a fee bump. */
  failOuter(failure: TransactionFailure): void {
    if (this.#tx.feeBump === undefined) this.fail(failure);
    else this.#outerFailure = failure;
  }

  toXdr(): xdr.TransactionResult {
    const { feeCharged } = this;
    return new xdr.TransactionResult({ feeCharged, result: this.#result(), ext: NO_EXT });
  }

  #result(): xdr.TransactionResultResult {
    if (this.#outerFailure !== undefined) return xdr.TransactionResultResult[this.#outerFailure]();
    if (this.#tx.feeBump !== undefined) {
      const pair = this.#innerPair();
      return this.#failure === undefined
        ? xdr.TransactionResultResult.txFeeBumpInnerSuccess(pair)
        : xdr.TransactionResultResult.txFeeBumpInnerFailed(pair);
    }
    switch (this.#failure) {
      case undefined:
        return xdr.TransactionResultResult.txSuccess(this.operations);
      case 'txFailed':
        return xdr.TransactionResultResult.txFailed(this.operations);
      default:
        return xdr.TransactionResultResult[this.#failure]();
    }
  }

  /** The inner transaction does not pay anything itself. */
  #innerPair(): xdr.InnerTransactionResultPair {
    return new xdr.InnerTransactionResultPair({
      transactionHash: this.#tx.inner.hash,
      result: new xdr.InnerTransactionResult({
        feeCharged: 0n,
        result: this.#innerResult(),
        ext: NO_INNER_EXT,
      }),
    });
  }

  #innerResult(): xdr.InnerTransactionResultResult {
    switch (this.#failure) {
      case undefined:
        return xdr.InnerTransactionResultResult.txSuccess(this.operations);
      case 'txFailed':
        return xdr.InnerTransactionResultResult.txFailed(this.operations);
      default:
        return xdr.InnerTransactionResultResult[this.#failure]();
    }
  }
}

/**
 * The refundable part of a declared resource fee: what is left after rent and events is refunded to the fee source (CAP-46-07;
 * stellar-core `RefundableFeeTracker`). In stroops.
 */
export class RefundableFee {
  readonly maximum: bigint;
  #consumedRent = 0n;
  #consumed = 0n;

  constructor(maximum: bigint) {
    this.maximum = maximum;
  }

  get consumedRent(): bigint {
    return this.#consumedRent;
  }

  /** Rent and events. */
  get consumed(): bigint {
    return this.#consumed;
  }

  get refund(): bigint {
    return this.maximum - this.#consumed;
  }

  /** Sets aside the rent; false if the maximum does not cover it. */
  consumeRent(fee: bigint): boolean {
    this.#consumedRent += fee;
    return this.#consumedRent <= this.maximum;
  }

  /** Sets aside the fee of the events, in addition to the rent; false if the maximum does not cover it. */
  consumeEvents(fee: bigint): boolean {
    this.#consumed = this.#consumedRent + fee;
    return this.#consumed <= this.maximum;
  }

  /** A transaction that fails pays neither. */
  reset(): void {
    this.#consumedRent = 0n;
    this.#consumed = 0n;
  }
}

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
