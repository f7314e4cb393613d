import { xdr } from '@stellar/stellar-sdk';
import type { TransactionMetaBuilder, TransactionOutcome } from '../transaction/index.ts';
import type { PlacedTransaction } from './transactionSet.ts';

const NO_EXT = xdr.ExtensionPoint.v0();

/** A transaction while its ledger is being applied. */
export interface TransactionRecord {
  readonly placed: PlacedTransaction;
  /** Position in the order of application, over all phases. */
  readonly index: number;
  readonly outcome: TransactionOutcome;
  readonly meta: TransactionMetaBuilder;
  /** What charging the fee changed. */
  readonly feeChanges: xdr.LedgerEntryChange[];
  /** What the refund changed, after all transactions. */
  refundChanges: xdr.LedgerEntryChange[];
}

export function resultPairOf({ placed, outcome }: TransactionRecord): xdr.TransactionResultPair {
  return new xdr.TransactionResultPair({
    transactionHash: placed.tx.hash,
    result: outcome.toXdr(),
  });
}

export function resultMetaOf(
  record: TransactionRecord,
  result: xdr.TransactionResultPair,
): xdr.TransactionResultMetaV1 {
  return new xdr.TransactionResultMetaV1({
    ext: NO_EXT,
    result,
    feeProcessing: record.feeChanges,
    txApplyProcessing: record.meta.toXdr(record.outcome),
    postTxApplyFeeProcessing: record.refundChanges,
  });
}
