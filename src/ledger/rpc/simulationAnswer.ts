import { xdr } from '@stellar/stellar-sdk';
import type {
  SimulateFootprintOutcome,
  SimulateInvokeOutcome,
  StateChange,
  Xdr,
} from '../host/index.ts';
import { type XdrFormat, xdrField, xdrListField } from './xdrFormat.ts';

/** The result of simulateTransaction. */
export type SimulationAnswer = Readonly<Record<string, unknown>>;

/** What Stellar RPC answers before it knows of any ledger. */
const NO_LEDGER = 0;

export function failure(error: string, latestLedger = NO_LEDGER): SimulationAnswer {
  return { error, latestLedger };
}

export function invocationAnswer(
  outcome: SimulateInvokeOutcome,
  latestLedger: number,
  format: XdrFormat,
): SimulationAnswer {
  const events = eventsField(outcome.diagnosticEvents, format);
  if (!outcome.ok) return { error: outcome.error.message, ...events, latestLedger };
  return {
    ...dataField(outcome.transactionData, format),
    ...events,
    minResourceFee: String(outcome.minResourceFee),
    results: [resultOf(outcome.auth, outcome.returnValue, format)],
    stateChanges: outcome.stateChanges.flatMap((change) => changeOf(change, format)),
    latestLedger,
  };
}

export function extendTtlAnswer(
  outcome: SimulateFootprintOutcome,
  latestLedger: number,
  format: XdrFormat,
): SimulationAnswer {
  if (!outcome.ok) return failure(outcome.error.message, latestLedger);
  const { restorePreamble } = outcome;
  return {
    ...dataField(outcome.transactionData, format),
    minResourceFee: String(outcome.minResourceFee),
    ...(restorePreamble && {
      restorePreamble: {
        ...dataField(restorePreamble.transactionData, format),
        minResourceFee: String(restorePreamble.minResourceFee),
      },
    }),
    latestLedger,
  };
}

export function restoreAnswer(
  outcome: SimulateFootprintOutcome,
  latestLedger: number,
  format: XdrFormat,
): SimulationAnswer {
  return extendTtlAnswer(outcome, latestLedger, format);
}

function dataField(data: Xdr, format: XdrFormat): SimulationAnswer {
  return format === 'json'
    ? { transactionDataJson: xdr.SorobanTransactionData.fromXdr(data).toJson() }
    : { transactionData: base64(data) };
}

function eventsField(events: readonly Xdr[], format: XdrFormat): SimulationAnswer {
  if (events.length === 0) return {};
  return format === 'json'
    ? { eventsJson: events.map((event) => xdr.DiagnosticEvent.fromXdr(event).toJson()) }
    : { events: events.map(base64) };
}

function resultOf(auth: readonly Xdr[], returnValue: Xdr, format: XdrFormat): SimulationAnswer {
  if (format === 'base64') return { auth: auth.map(base64), xdr: base64(returnValue) };
  const entries = auth.map((entry) => xdr.SorobanAuthorizationEntry.fromXdr(entry));
  return {
    ...xdrListField(format, ['auth', 'authJson'], entries),
    ...xdrField(format, ['xdr', 'returnValueJson'], xdr.ScVal.fromXdr(returnValue)),
  };
}

/** What is neither before nor after is no change. */
function changeOf({ key, before, after }: StateChange, format: XdrFormat): SimulationAnswer[] {
  if (before === null && after === null) return [];
  const type = before === null ? 'created' : after === null ? 'deleted' : 'updated';
  if (format === 'base64') {
    const text = (entry: Xdr | null): string | null => (entry === null ? null : base64(entry));
    return [{ type, key: base64(key), before: text(before), after: text(after) }];
  }
  const json = (name: string, entry: Xdr | null): SimulationAnswer =>
    entry === null ? {} : { [name]: xdr.LedgerEntry.fromXdr(entry).toJson() };
  return [
    {
      type,
      keyJson: xdr.LedgerKey.fromXdr(key).toJson(),
      before: null,
      ...json('beforeJson', before),
      after: null,
      ...json('afterJson', after),
    },
  ];
}

function base64(bytes: Xdr): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
