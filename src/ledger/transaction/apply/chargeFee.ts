import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import { mustLoadAccount, updateAccount } from '../balances/index.ts';
import type { ParsedTransaction } from '../envelope/index.ts';
import { TransactionOutcome } from '../result/index.ts';
import { feeToCharge } from '../validation/index.ts';

/**
 * Takes the fee from the account that pays it, before anything of the ledger is applied: as much of
 * it as the balance holds, without regard to reserve and liabilities
 * (stellar-core `TransactionFrame::processFeeSeqNum`).
 *
 * @param baseFee stroops an operation, of the transaction's component; null: the whole bid
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

/** Moves stroops into the fee pool, or out of it. */
export function addToFeePool(ltx: LedgerTxn, delta: bigint): void {
  const { header } = ltx;
  ltx.header = new xdr.LedgerHeader({ ...header, feePool: header.feePool + delta });
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
