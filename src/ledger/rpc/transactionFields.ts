import type { ClosedLedger, ClosedTransaction } from '../history/index.ts';
import { base64Xdr, type XdrFormat, xdrField, xdrListField } from './xdrFormat.ts';

/** What getTransaction and getTransactions both say of a transaction, but for its time. */
export function transactionFields(
  transaction: ClosedTransaction,
  ledger: ClosedLedger,
  format: XdrFormat,
): Record<string, unknown> {
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
): Record<string, unknown> {
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
