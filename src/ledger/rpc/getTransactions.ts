import { totalOrderId, totalOrderOf } from '../history/index.ts';
import { rangeFields, rangeOf } from './ledgerRange.ts';
import { LIMITS } from './limits.ts';
import { type Page, pageOf } from './pagination.ts';
import { RpcError } from './rpcError.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import { type TransactionFields, transactionFields } from './transactionFields.ts';
import { formatOf, type XdrFormat } from './xdrFormat.ts';

/** Result of `getTransactions`. Times are seconds since 1970. */
export interface TransactionsResult<F extends XdrFormat = XdrFormat> {
  readonly transactions: readonly TransactionInfo<F>[];
  readonly latestLedger: number;
  readonly latestLedgerCloseTimestamp: number;
  readonly oldestLedger: number;
  readonly oldestLedgerCloseTimestamp: number;
  readonly cursor: string;
}

type TransactionInfo<F extends XdrFormat> = TransactionFields<F> & { readonly createdAt: number };

/** @throws RpcError */
export function getTransactions(
  { service: { history } }: RpcNetwork,
  params: RpcParams,
): TransactionsResult {
  const page = pageOf(params, rangeOf(history), LIMITS.transactions);
  const start = startOf(page);
  const format = formatOf(params);
  const transactions: TransactionInfo<XdrFormat>[] = [];
  let cursor = totalOrderId({ ledger: history.latestSequence, transaction: 0, operation: 1 });
  search: for (const ledger of history.ledgersWithTransactions(start.ledger, Infinity)) {
    for (const transaction of ledger.transactions) {
      const { applicationOrder } = transaction;
      if (ledger.sequence === start.ledger && applicationOrder < start.transaction) continue;
      transactions.push({
        ...transactionFields(transaction, ledger, format),
        createdAt: ledger.closeTime,
      });
      cursor = totalOrderId({
        ledger: ledger.sequence,
        transaction: applicationOrder,
        operation: 1,
      });
      if (transactions.length === page.limit) break search;
    }
  }
  if (transactions.length < page.limit) cursor = endOf(history.latest);
  const { latestLedgerCloseTime, oldestLedgerCloseTime, ...range } = rangeFields(history);
  return {
    transactions,
    ...range,
    latestLedgerCloseTimestamp: latestLedgerCloseTime,
    oldestLedgerCloseTimestamp: oldestLedgerCloseTime,
    cursor: String(cursor),
  };
}

interface Start {
  readonly ledger: number;
  readonly transaction: number;
}

/** The cursor is the last transaction that was seen. */
function startOf(page: Page): Start {
  if (page.cursor === '') return { ledger: page.startLedger, transaction: 1 };
  if (!/^\d{1,19}$/.test(page.cursor)) {
    throw new RpcError('invalidParams', `cursor '${page.cursor}' is not a number`);
  }
  const { ledger, transaction } = totalOrderOf(BigInt(page.cursor));
  return { ledger, transaction: transaction + 1 };
}

/** Where the next page begins when everything was seen. */
function endOf(latest: { sequence: number; transactions: readonly unknown[] }): bigint {
  return totalOrderId({
    ledger: latest.sequence,
    transaction: latest.transactions.length,
    operation: 1,
  });
}
