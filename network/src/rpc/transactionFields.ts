import type { ClosedLedger, ClosedTransaction } from '../history/index.ts';
import { base64Text, type XdrField, type XdrFormat, type XdrListField } from './xdrFormat.ts';

/** The fields that getTransaction and getTransactions have in common, without the transaction's time. */
export type TransactionFields<F extends XdrFormat = XdrFormat> = {
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

export function transactionFields(
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
