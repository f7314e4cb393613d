import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import {
  addAccountBalance,
  loadAccount,
  mustLoadAccount,
  updateAccount,
} from '../balances/index.ts';
import type { ParsedTransaction } from '../envelope/index.ts';
import { TransactionOutcome } from '../result/transactionOutcome.ts';
import { feeToCharge } from '../validation/fees.ts';

/**
 * Takes the fee from the account that pays it, before any transaction of the ledger is applied: as much as the balance covers,
 * regardless of reserve and liabilities (stellar-core `TransactionFrame::processFeeSeqNum`).
 *
 * @param baseFee of the transaction's component, in stroops per operation; null: the entire bid
 */
export function chargeFee(
  ltx: LedgerTxn,
  tx: ParsedTransaction,
  baseFee: bigint | null,
): TransactionOutcome {
  const account = mustLoadAccount(ltx, tx.feeSource);
  const wanted = feeToCharge(tx, baseFee);
  if (wanted <= 0n) return new TransactionOutcome(tx, wanted);
  const fee = smaller(wanted, account.balance);
  updateAccount(ltx, new xdr.AccountEntry({ ...account, balance: account.balance - fee }));
  addToFeePool(ltx, fee);
  return new TransactionOutcome(tx, fee);
}

/** Moves stroops into or out of the fee pool. */
function addToFeePool(ltx: LedgerTxn, delta: bigint): void {
  const { header } = ltx;
  ltx.header = new xdr.LedgerHeader({ ...header, feePool: header.feePool + delta });
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/**
 * Refunds the unused part of a Soroban transaction's refundable fee, after all transactions of the ledger. An account that no
 * longer exists, or whose buying liabilities leave no room, gets no refund (stellar-core `TransactionFrame::refundSorobanFee`).
 *
 * @returns the refunded stroops
 */
export function refundFee(
  ltxLedger: LedgerTxn,
  tx: ParsedTransaction,
  outcome: TransactionOutcome,
): bigint {
  const refund = outcome.refundable?.refund ?? 0n;
  if (refund === 0n) return 0n;
  const ltx = ltxLedger.child();
  const account = loadAccount(ltx, tx.feeSource);
  const refunded =
    account === undefined ? undefined : addAccountBalance(ltx.header, account, refund);
  if (refunded === undefined) return 0n;
  updateAccount(ltx, refunded);
  addToFeePool(ltx, -refund);
  ltx.commit();
  outcome.feeCharged -= refund;
  return refund;
}
