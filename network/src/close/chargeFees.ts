import { type AccountIdString, accountIdString, type LedgerTxn } from '../state/index.ts';
import { setMaxSeqNumToApply } from '../transaction/balances/index.ts';
import {
  chargeFee,
  type ParsedTransaction,
  type TransactionEnvironment,
  TransactionMetaBuilder,
} from '../transaction/index.ts';
import type { TransactionRecord } from './transactionRecord.ts';
import type { PlacedTransaction } from './transactionSet.ts';

/**
 * Charges the fees of all transactions of a ledger before the first one is applied
 * (stellar-core `LedgerManagerImpl::processFeesSeqNums`).
 *
 * @returns a function that returns the record of each transaction
 */
export function chargeFees(
  ltxLedger: LedgerTxn,
  transactions: readonly PlacedTransaction[],
  env: TransactionEnvironment,
): Map<PlacedTransaction, TransactionRecord> {
  const records = new Map<PlacedTransaction, TransactionRecord>();
  for (const [index, placed] of transactions.entries()) {
    const { tx, baseFee } = placed;
    const ltx = ltxLedger.child();
    const outcome = chargeFee(ltx, tx, baseFee);
    const meta = new TransactionMetaBuilder(tx, env);
    meta.addFee('charged', tx.feeSource, outcome.feeCharged);
    const feeChanges = ltx.changes();
    records.set(placed, { placed, index, outcome, meta, feeChanges, refundChanges: [] });
    ltx.commit();
  }
  if (transactions.some(({ tx }) => mergesAccount(tx))) noteSequences(ltxLedger, transactions);
  return records;
}

/** An account must not be merged away while a transaction of this ledger needs its sequence number. */
function noteSequences(ltx: LedgerTxn, transactions: readonly PlacedTransaction[]): void {
  const highest = new Map<AccountIdString, ParsedTransaction>();
  for (const { tx } of transactions) {
    const account = accountIdString(tx.inner.source);
    const before = highest.get(account);
    if (before === undefined || before.inner.seqNum < tx.inner.seqNum) highest.set(account, tx);
  }
  for (const { inner } of highest.values()) setMaxSeqNumToApply(ltx, inner.source, inner.seqNum);
}

function mergesAccount({ inner }: ParsedTransaction): boolean {
  return inner.operations.some(({ body }) => body.type === 'accountMerge');
}
