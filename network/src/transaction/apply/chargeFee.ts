import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import { mustLoadAccount, updateAccount } from '../balances/index.ts';
import type { ParsedTransaction } from '../envelope/index.ts';
import { TransactionOutcome } from '../result/index.ts';
import { feeToCharge } from '../validation/index.ts';

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
export function addToFeePool(ltx: LedgerTxn, delta: bigint): void {
  const { header } = ltx;
  ltx.header = new xdr.LedgerHeader({ ...header, feePool: header.feePool + delta });
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
