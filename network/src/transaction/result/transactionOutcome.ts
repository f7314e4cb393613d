import { xdr } from '@stellar/stellar-sdk';
import type { ParsedTransaction } from '../envelope/index.ts';
import type { RefundableFee } from './refundableFee.ts';
import { zeroResult } from './zeroResult.ts';

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
