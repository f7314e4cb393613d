import type { ClosedLedger, ClosedTransaction } from '../history/index.ts';
import {
  base64Xdr,
  type XdrField,
  type XdrFormat,
  type XdrListField,
  xdrField,
  xdrListField,
} from './xdrFormat.ts';

/** The fields that getTransaction and getTransactions share, without the transaction's time. */
export type TransactionFields<F extends XdrFormat = XdrFormat> = {
  readonly status: 'SUCCESS' | 'FAILED';
  readonly txHash: string;
  /** Place in its ledger, from 1. */
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

export function transactionFields(
  transaction: ClosedTransaction,
  ledger: ClosedLedger,
  format: XdrFormat,
): TransactionFields {
  const { envelope, result, meta, diagnosticEvents } = transaction;
  return {
    status: transaction.successful ? 'SUCCESS' : 'FAILED',
    txHash: transaction.hash,
    applicationOrder: transaction.applicationOrder,
    feeBump: transaction.feeBump,
    ...xdrField(format, ['envelopeXdr', 'envelopeJson'], envelope),
    ...xdrField(format, ['resultXdr', 'resultJson'], result),
    ...xdrField(format, ['resultMetaXdr', 'resultMetaJson'], meta),
    ...xdrListField(format, ['diagnosticEventsXdr', 'diagnosticEventsJson'], diagnosticEvents),
    events: eventFields(transaction, format),
    ledger: ledger.sequence,
  };
}

function eventFields(
  { transactionEvents, operationEvents }: ClosedTransaction,
  format: XdrFormat,
): TransactionEvents<XdrFormat> {
  const ofTransaction = xdrListField(
    format,
    ['transactionEventsXdr', 'transactionEventsJson'],
    transactionEvents,
  );
  if (operationEvents.length === 0) return ofTransaction;
  return {
    ...ofTransaction,
    ...(format === 'json'
      ? { contractEventsJson: operationEvents.map((events) => events.map((one) => one.toJson())) }
      : {
          contractEventsXdr: operationEvents.map((events) => events.map(base64Xdr)),
        }),
  };
}
