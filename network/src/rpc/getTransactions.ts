import {
  type ClosedLedger,
  type ClosedTransaction,
  type LedgerHistory,
  totalOrderId,
  totalOrderOf,
} from '../history/index.ts';
import { type RangeFieldsAsText, rangeFields, rangeFieldsAsText, rangeOf } from './ledgerRange.ts';
import { LIMITS } from './limits.ts';
import { PageSize } from './pageSize.ts';
import { type Page, pageOf } from './pagination.ts';
import { RpcError } from './rpcError.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import {
  base64Text,
  formatOf,
  type XdrField,
  type XdrFormat,
  type XdrListField,
} from './xdrFormat.ts';

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

const HASH_LETTERS = 64;

/** Result of `getTransaction`. Times are seconds since 1970, as strings. */
export type TransactionResult<F extends XdrFormat = XdrFormat> =
  | FoundTransaction<F>
  | MissingTransaction;

type FoundTransaction<F extends XdrFormat> = RangeFieldsAsText &
  TransactionFields<F> & { readonly createdAt: string };

interface MissingTransaction extends RangeFieldsAsText {
  readonly status: 'NOT_FOUND';
  readonly txHash: string;
  readonly applicationOrder: 0;
  readonly feeBump: false;
  readonly events: Readonly<Record<string, never>>;
  readonly ledger: 0;
  readonly createdAt: '0';
}

/**
 * Finds a transaction by its hash, and a fee bump also by the hash of its inner transaction. If a ledger that includes it is
 * about to close on demand, the answer waits those few milliseconds, because a client that asks too early would pause for a
 * second. Rejects with RpcError.
 */
export async function getTransaction(
  { service }: RpcNetwork,
  params: RpcParams,
): Promise<TransactionResult> {
  const { history } = service;
  const format = formatOf(params);
  const hash = params.text('hash');
  if (hash.length >> 1 !== HASH_LETTERS / 2) {
    throw new RpcError('invalidParams', `unexpected hash length (${hash.length})`);
  }
  if (!/^[0-9a-f]{64}$/i.test(hash)) {
    throw new RpcError('invalidParams', 'incorrect hash: it is not hexadecimal');
  }
  await service.settled(hash.toLowerCase());
  const found = history.transaction(hash.toLowerCase());
  if (found === undefined) return notFound(history, hash);
  return {
    ...rangeFieldsAsText(history),
    ...transactionFields(found.transaction, found.ledger, format),
    txHash: hash,
    createdAt: String(found.ledger.closeTime),
  };
}

/** The answer for a transaction that is not in any known ledger. */
export function notFound(history: LedgerHistory, hash: string): MissingTransaction {
  return {
    ...rangeFieldsAsText(history),
    status: 'NOT_FOUND',
    txHash: hash,
    applicationOrder: 0,
    feeBump: false,
    events: {},
    ledger: 0,
    createdAt: '0',
  };
}

/** The fields that getTransaction and getTransactions have in common, without the transaction's time. */
type TransactionFields<F extends XdrFormat = XdrFormat> = {
  readonly status: 'SUCCESS' | 'FAILED';
  readonly txHash: string;
  /** Position in its ledger, from 1. */
  readonly applicationOrder: number;
  readonly feeBump: boolean;
  readonly events: TransactionEvents<F>;
  readonly ledger: number;
} & XdrField<F, 'envelopeXdr', 'envelopeJson'> &
  XdrField<F, 'resultXdr', 'resultJson'> &
  XdrField<F, 'resultMetaXdr', 'resultMetaJson'> &
  XdrListField<F, 'diagnosticEventsXdr', 'diagnosticEventsJson'>;

type TransactionEvents<F extends XdrFormat> = XdrListField<
  F,
  'transactionEventsXdr',
  'transactionEventsJson'
> &
  (F extends 'base64'
    ? { readonly contractEventsXdr?: readonly (readonly string[])[] }
    : { readonly contractEventsJson?: readonly (readonly unknown[])[] });

function transactionFields(
  transaction: ClosedTransaction,
  ledger: ClosedLedger,
  format: XdrFormat,
): TransactionFields {
  return {
    status: transaction.successful ? 'SUCCESS' : 'FAILED',
    txHash: transaction.hash,
    applicationOrder: transaction.applicationOrder,
    feeBump: transaction.feeBump,
    ...(format === 'json' ? jsonFields(transaction) : base64Fields(transaction)),
    ledger: ledger.sequence,
  };
}

type Fields<F extends XdrFormat> = Omit<
  TransactionFields<F>,
  'status' | 'txHash' | 'applicationOrder' | 'feeBump' | 'ledger'
>;

/** Copies the fields from the ledger's bytes without decoding them. */
function base64Fields({ parts, metaParts }: ClosedTransaction): Fields<'base64'> {
  const { transactionEvents, operationEvents, diagnosticEvents } = metaParts;
  return {
    envelopeXdr: base64Text(parts.envelope),
    resultXdr: base64Text(parts.result),
    resultMetaXdr: base64Text(parts.meta),
    ...(diagnosticEvents.length === 0
      ? {}
      : { diagnosticEventsXdr: diagnosticEvents.map(base64Text) }),
    events: {
      ...(transactionEvents.length === 0
        ? {}
        : { transactionEventsXdr: transactionEvents.map(base64Text) }),
      ...(operationEvents.length === 0
        ? {}
        : { contractEventsXdr: operationEvents.map((events) => events.map(base64Text)) }),
    },
  };
}

function jsonFields(transaction: ClosedTransaction): Fields<'json'> {
  const { envelope, result, meta, diagnosticEvents, transactionEvents, operationEvents } =
    transaction;
  const json = (value: { toJson(): unknown }): unknown => value.toJson();
  return {
    envelopeJson: json(envelope),
    resultJson: json(result),
    resultMetaJson: json(meta),
    ...(diagnosticEvents.length === 0 ? {} : { diagnosticEventsJson: diagnosticEvents.map(json) }),
    events: {
      ...(transactionEvents.length === 0
        ? {}
        : { transactionEventsJson: transactionEvents.map(json) }),
      ...(operationEvents.length === 0
        ? {}
        : { contractEventsJson: operationEvents.map((events) => events.map(json)) }),
    },
  };
}
