import { xdr } from '@stellar/stellar-sdk';
import {
  MAX_CONTRACT_EVENT_BYTES,
  type SimulateFootprintOutcome,
  type SimulateInvokeOutcome,
  type SimulateInvokeSuccess,
  type StateChange,
  type Xdr,
} from '../host/index.ts';
import { LIMITS } from './limits.ts';
import type { XdrField, XdrFormat, XdrListField } from './xdrFormat.ts';

/** Result of `simulateTransaction`. */
export type SimulationAnswer<F extends XdrFormat = XdrFormat> =
  | FailedSimulation<F>
  | FinishedSimulation<F>;

type FailedSimulation<F extends XdrFormat> = EventsField<F> & {
  readonly error: string;
  readonly latestLedger: number;
};

type FinishedSimulation<F extends XdrFormat> = RestorePreamble<F> &
  EventsField<F> & {
    readonly latestLedger: number;
    /** For an invocation only: exactly one. */
    readonly results?: readonly [HostFunctionResult<F>];
    /** For an invocation only. */
    readonly stateChanges?: readonly EntryChange<F>[];
    /** Entries to restore first. */
    readonly restorePreamble?: RestorePreamble<F>;
  };

type EventsField<F extends XdrFormat> = XdrListField<F, 'events', 'eventsJson'>;

type RestorePreamble<F extends XdrFormat> = XdrField<
  F,
  'transactionData',
  'transactionDataJson'
> & {
  /** Stroops. */
  readonly minResourceFee: string;
};

type HostFunctionResult<F extends XdrFormat> = F extends 'base64'
  ? { readonly auth: readonly string[]; readonly xdr: string }
  : { readonly authJson?: readonly unknown[]; readonly returnValueJson: unknown };

type EntryChange<F extends XdrFormat> = {
  readonly type: 'created' | 'updated' | 'deleted';
} & (F extends 'base64'
  ? { readonly key: string; readonly before: string | null; readonly after: string | null }
  : {
      readonly keyJson: unknown;
      readonly before: null;
      readonly beforeJson?: unknown;
      readonly after: null;
      readonly afterJson?: unknown;
    });

/** Fields that Stellar RPC returns before it knows any ledger. */
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
  const problem = sizeProblem(outcome, format);
  if (problem !== undefined) return { error: problem, ...events, latestLedger };
  return {
    ...dataField(outcome.transactionData, format),
    ...events,
    minResourceFee: String(outcome.minResourceFee),
    results: [resultOf(outcome.auth, outcome.returnValue, format)],
    stateChanges: outcome.stateChanges.flatMap((change) => changeOf(change, format)),
    latestLedger,
  };
}

/**
 * Returns why a simulation's result is too large for an answer. Only diagnostic events can be left out of an answer. Public
 * networks do not allow transactions this large.
 */
function sizeProblem(
  { contractEvents, returnValue, auth, stateChanges }: SimulateInvokeSuccess,
  format: XdrFormat,
): string | undefined {
  const changed = stateChanges.flatMap(({ key, before, after }) => [key, before, after]);
  const result = sizeOf([returnValue, ...auth, ...changed]);
  const sizes = [
    ['contract events', sizeOf(contractEvents), MAX_CONTRACT_EVENT_BYTES],
    ['return value, authorization and changed entries', result, LIMITS.simulationBytes[format]],
  ] as const;
  const over = sizes.find(([, size, most]) => size > most);
  if (over === undefined) return undefined;
  const [what, size, most] = over;
  return `the result is too large to return: ${size} bytes of ${what}; at most ${most} are allowed`;
}

function sizeOf(parts: readonly (Xdr | null)[]): number {
  return parts.reduce((sum, part) => sum + (part?.length ?? 0), 0);
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

function dataField(
  data: Xdr,
  format: XdrFormat,
): XdrField<XdrFormat, 'transactionData', 'transactionDataJson'> {
  return format === 'json'
    ? { transactionDataJson: xdr.SorobanTransactionData.fromXdr(data).toJson() }
    : { transactionData: base64(data) };
}

function eventsField(events: readonly Xdr[], format: XdrFormat): EventsField<XdrFormat> {
  if (events.length === 0) return {};
  return format === 'json'
    ? { eventsJson: events.map((event) => xdr.DiagnosticEvent.fromXdr(event).toJson()) }
    : { events: events.map(base64) };
}

function resultOf(
  auth: readonly Xdr[],
  returnValue: Xdr,
  format: XdrFormat,
): HostFunctionResult<XdrFormat> {
  if (format === 'base64') return { auth: auth.map(base64), xdr: base64(returnValue) };
  const entries = auth.map((entry) => xdr.SorobanAuthorizationEntry.fromXdr(entry));
  return {
    ...(entries.length === 0 ? {} : { authJson: entries.map((entry) => entry.toJson()) }),
    returnValueJson: xdr.ScVal.fromXdr(returnValue).toJson(),
  };
}

/** An entry that exists neither before nor after did not change. */
function changeOf(
  { key, before, after }: StateChange,
  format: XdrFormat,
): EntryChange<XdrFormat>[] {
  if (before === null && after === null) return [];
  const type = before === null ? 'created' : after === null ? 'deleted' : 'updated';
  if (format === 'base64') {
    const text = (entry: Xdr | null): string | null => (entry === null ? null : base64(entry));
    return [{ type, key: base64(key), before: text(before), after: text(after) }];
  }
  const json = (entry: Xdr) => xdr.LedgerEntry.fromXdr(entry).toJson();
  return [
    {
      type,
      keyJson: xdr.LedgerKey.fromXdr(key).toJson(),
      before: null,
      ...(before === null ? {} : { beforeJson: json(before) }),
      after: null,
      ...(after === null ? {} : { afterJson: json(after) }),
    },
  ];
}

function base64(bytes: Xdr): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
