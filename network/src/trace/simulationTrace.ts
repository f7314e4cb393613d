import { xdr } from '@stellar/stellar-sdk';
import { accountAddressOf } from '../../../common/scAddress.ts';
import type { SimulateInvokeSuccess } from '../host/index.ts';
import type { SimulatedInvocation } from '../rpc/index.ts';
import { type LedgerState, ledgerKeyIdOfXdr, storedEntry } from '../state/index.ts';
import { contractBook } from './contractBook.ts';
import { traceInvocation } from './invocationTrace.ts';
import type { EntryStates, StorageSource } from './storageTrace.ts';
import { paymentStory } from './story.ts';
import type { ToldTrace } from './trace.ts';
import { type AddressNames, traceText } from './traceText.ts';

/** The trace of what a call would do. */
export interface SimulationTrace extends ToldTrace {
  readonly kind: 'simulation';
  /** The last closed ledger, on which it ran. */
  readonly ledger: number;
}

/** Explains a simulation. The state can be later than the one on which it ran. */
export function traceSimulation(
  { request, outcome, sequence }: SimulatedInvocation,
  state: LedgerState,
  names: AddressNames,
): SimulationTrace {
  const auth = outcome.ok
    ? outcome.auth
    : request.auth.mode === 'enforce'
      ? request.auth.entries
      : [];
  const trace = traceInvocation(
    {
      events: outcome.diagnosticEvents.map((event) => xdr.DiagnosticEvent.fromXdr(event)),
      successful: outcome.ok,
      source: accountAddressOf(request.source.ed25519.value),
      auth: auth.map((entry) => xdr.SorobanAuthorizationEntry.fromXdr(entry)),
      storage: outcome.ok ? storageOf(outcome, state) : undefined,
      ...(outcome.ok ? {} : { error: xdr.ScError.fromXdr(outcome.error.scError) }),
      cpuInstructions: outcome.cpuInstructions,
      memoryBytes: outcome.memoryBytes,
      calls: outcome.calls,
    },
    contractBook(state),
  );
  const story = paymentStory(trace, undefined, (address) => names.get(address));
  const ended = outcome.ok ? 'successful' : `failed (${outcome.error.summary})`;
  const text = traceText(`Simulation on ledger ${sequence}: ${ended}`, story, trace, names);
  return { kind: 'simulation', ledger: sequence, story, ...trace, text };
}

function storageOf(
  { transactionData, stateChanges }: SimulateInvokeSuccess,
  state: LedgerState,
): StorageSource {
  const { footprint } = xdr.SorobanTransactionData.fromXdr(transactionData).resources;
  const entry = (bytes: Uint8Array | null): xdr.LedgerEntry | undefined =>
    bytes === null ? undefined : xdr.LedgerEntry.fromXdr(bytes);
  const changes = stateChanges.map(
    ({ key, before, after }) =>
      [
        ledgerKeyIdOfXdr(key),
        { before: entry(before), after: entry(after) } satisfies EntryStates,
      ] as const,
  );
  return {
    footprint,
    changes: new Map(changes),
    ttls: new Map(),
    liveUntil: (id) => storedEntry(state, id)?.liveUntil || undefined,
  };
}
