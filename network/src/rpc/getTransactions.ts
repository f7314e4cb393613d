import { type ClosedTransaction, totalOrderId, totalOrderOf } from '../history/index.ts';
import { rangeFields, rangeOf } from './ledgerRange.ts';
import { LIMITS } from './limits.ts';
import { PageSize } from './pageSize.ts';
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
export async function getTransactions(
  network: RpcNetwork,
  params: RpcParams,
): Promise<TransactionsResult> {
  const { history } = network.service;
  const page = pageOf(params, rangeOf(history), LIMITS.transactions);
  const start = startOf(page);
  const format = formatOf(params);
  // Ledgers that close during a pause belong to the next page.
  const { latest } = history;
  const { latestLedgerCloseTime, oldestLedgerCloseTime, ...range } = rangeFields(history);
  const { transactions, last } = await collect(network, start, latest.sequence, page.limit, format);
  return {
    transactions,
    ...range,
    latestLedgerCloseTimestamp: latestLedgerCloseTime,
    oldestLedgerCloseTimestamp: oldestLedgerCloseTime,
    cursor: String(last ?? endOf(latest)),
  };
}

interface Collected {
  readonly transactions: readonly TransactionInfo<XdrFormat>[];
  /** The end of the page; undefined if nothing follows. */
  readonly last: bigint | undefined;
}

async function collect(
  { service: { history }, spend, pause }: RpcNetwork,
  start: Start,
  end: number,
  limit: number,
  format: XdrFormat,
): Promise<Collected> {
  const size = new PageSize(format, spend);
  const transactions: TransactionInfo<XdrFormat>[] = [];
  for (const ledger of history.ledgersWithTransactions(start.ledger, end)) {
    await pause();
    for (const transaction of ledger.transactions) {
      const { applicationOrder } = transaction;
      if (ledger.sequence === start.ledger && applicationOrder < start.transaction) continue;
      transactions.push({
        ...transactionFields(transaction, ledger, format),
        createdAt: ledger.closeTime,
      });
      size.add(bytesOf(transaction));
      if (transactions.length < limit && !size.full) continue;
      const place = { ledger: ledger.sequence, transaction: applicationOrder, operation: 1 };
      return { transactions, last: totalOrderId(place) };
    }
  }
  return { transactions, last: undefined };
}

interface Start {
  readonly ledger: number;
  readonly transaction: number;
}

/** The cursor is that of the last transaction the client saw. */
function startOf(page: Page): Start {
  if (page.cursor === '') return { ledger: page.startLedger, transaction: 1 };
  if (!/^\d{1,19}$/.test(page.cursor)) {
    throw new RpcError('invalidParams', `cursor '${page.cursor}' is not a number`);
  }
  const { ledger, transaction } = totalOrderOf(BigInt(page.cursor));
  return { ledger, transaction: transaction + 1 };
}

/** Number of XDR bytes written for a transaction; its events are written twice. */
function bytesOf({ parts: { envelope, result, meta }, metaParts }: ClosedTransaction): number {
  const { transactionEvents, operationEvents, diagnosticEvents } = metaParts;
  const written = [envelope, result, meta, ...transactionEvents, ...diagnosticEvents];
  return [...written, ...operationEvents.flat()].reduce((sum, { length }) => sum + length, 0);
}

/** Where the next page begins once everything has been returned. */
function endOf(latest: { sequence: number; transactions: readonly unknown[] }): bigint {
  return totalOrderId({
    ledger: latest.sequence,
    transaction: latest.transactions.length,
    operation: 1,
  });
}
