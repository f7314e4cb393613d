import type { LedgerTxn } from '../../state/index.ts';
import { addAccountBalance, loadAccount, updateAccount } from '../balances/index.ts';
import type { ParsedTransaction } from '../envelope/index.ts';
import type { TransactionOutcome } from '../result/index.ts';
import { addToFeePool } from './chargeFee.ts';

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
