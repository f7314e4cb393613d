import { xdr } from '@stellar/stellar-sdk';
import type { InvokeOutcome, InvokeSuccess, LedgerChange } from '../../host/index.ts';
import { type LedgerKeyId, ledgerKeyIdOfXdr, ttlKeyIdOfHash } from '../../state/index.ts';
import { decodeXdr, encodeXdr, hashXdr, lazyXdr } from '../../xdr/index.ts';
import { hostFunctionFailedEvent } from '../diagnostics/index.ts';
import type { ParsedOperation } from '../envelope/index.ts';
import { isEntrySizeAllowed } from './entryLimits.ts';
import { footprintKey } from './footprintKeys.ts';
import { InvocationMetrics } from './invocationMetrics.ts';
import { type LoadedFootprint, loadFootprint } from './invokeFootprint.ts';
import { consumeRefundable } from './refundable.ts';
import { ttlEntry } from './sorobanLedger.ts';
import { HostInternalError, type SorobanContext, type SorobanResult } from './sorobanOperation.ts';

type Failure = 'resourceLimitExceeded' | 'entryArchived' | 'trapped' | 'insufficientRefundableFee';

const R = xdr.InvokeHostFunctionResult;
const FAILURES: Record<Failure, xdr.InvokeHostFunctionResult> = {
  resourceLimitExceeded: R.invokeHostFunctionResourceLimitExceeded(),
  entryArchived: R.invokeHostFunctionEntryArchived(),
  trapped: R.invokeHostFunctionTrapped(),
  insufficientRefundableFee: R.invokeHostFunctionInsufficientRefundableFee(),
};

/**
 * Runs a host function (stellar-core `InvokeHostFunctionOpFrame.cpp`): loads its footprint, calls the host, writes its changes,
 * and takes rent and the fee for events out of the refundable fee.
 *
 * @throws HostInternalError
 */
export function invokeHostFunction(
  ctx: SorobanContext,
  operation: ParsedOperation,
  op: xdr.InvokeHostFunctionOp,
): SorobanResult {
  const metrics = new InvocationMetrics();
  const outcome = run(ctx, operation, op, metrics);
  if (ctx.log.enabled) for (const event of metrics.toEvents()) ctx.log.push(event);
  if (typeof outcome !== 'string') return outcome;
  return { result: resultOf(FAILURES[outcome]), success: false, events: [], returnValue: null };
}

function run(
  ctx: SorobanContext,
  operation: ParsedOperation,
  op: xdr.InvokeHostFunctionOp,
  metrics: InvocationMetrics,
): SorobanResult | Failure {
  const footprint = loadFootprint(ctx, metrics);
  if (typeof footprint === 'string') return footprint;
  const outcome = callHost(ctx, operation, op, footprint);
  metrics.cpuInstructions = outcome.cpuInstructions;
  metrics.memoryBytes = outcome.memoryBytes;
  ctx.env.onCalls?.(ctx.tx, outcome.calls);
  for (const event of outcome.diagnosticEvents) ctx.log.push(lazyXdr(xdr.DiagnosticEvent, event));
  if (!outcome.ok) {
    const error = decodeXdr(xdr.ScError, outcome.error.scError);
    ctx.log.push(hostFunctionFailedEvent(error));
    if (outcome.error.internal) throw new HostInternalError(outcome.error.summary);
    return whyHostFailed(ctx, metrics);
  }
  if (!writeChanges(ctx, outcome.changes, metrics)) return 'resourceLimitExceeded';
  const events = collectEvents(ctx, outcome, metrics);
  if (events === undefined) return 'resourceLimitExceeded';
  const { tx, env, refundable, log } = ctx;
  if (!consumeRefundable(tx, env, refundable, outcome.rentFee, metrics.eventBytes, log)) {
    return 'insufficientRefundableFee';
  }
  metrics.success = true;
  return succeed(events, decodeXdr(xdr.ScVal, outcome.returnValue));
}

function callHost(
  { data, env, changes, prngSeed }: SorobanContext,
  operation: ParsedOperation,
  op: xdr.InvokeHostFunctionOp,
  footprint: LoadedFootprint,
): InvokeOutcome {
  return env.host.invoke({
    ledger: { sequence: changes.ledgerSeq, closeTime: changes.closeTime },
    hostFunction: encodeXdr(op.hostFunction),
    resources: encodeXdr(data.resources),
    instructions: data.resources.instructions,
    restoredIndices: footprint.restoredIndices,
    sourceAccount: encodeXdr(operation.source),
    auth: op.auth.map(encodeXdr),
    impersonated: env.impersonation?.addresses() ?? 'nobody',
    footprint: footprint.entries,
    prngSeed,
    diagnostics: env.diagnostics,
  });
}

function whyHostFailed(
  { data, env, log }: SorobanContext,
  { cpuInstructions, memoryBytes }: InvocationMetrics,
): Failure {
  const { instructions } = data.resources;
  if (cpuInstructions > instructions) {
    log.error('sceBudget', 'scecExceededLimit', 'operation instructions exceeds amount specified', [
      cpuInstructions,
      instructions,
    ]);
    return 'resourceLimitExceeded';
  }
  const { txMemoryLimit } = env.settings.compute;
  if (memoryBytes > txMemoryLimit) {
    log.error(
      'sceBudget',
      'scecExceededLimit',
      'operation memory usage exceeds network config limit',
      [memoryBytes, txMemoryLimit],
    );
    return 'resourceLimitExceeded';
  }
  return 'trapped';
}

/**
 * Writes the entries that the host returned and the TTLs that grew. An entry of the read-write footprint that it did not return
 * is deleted.
 */
function writeChanges(
  ctx: SorobanContext,
  hostChanges: readonly LedgerChange[],
  metrics: InvocationMetrics,
): boolean {
  const written = new Set<LedgerKeyId>();
  for (const change of hostChanges) {
    if (!change.readOnly && change.newValue !== null) {
      const id = ledgerKeyIdOfXdr(change.key);
      if (!writeEntry(ctx, id, change.newValue, metrics)) return false;
      written.add(id);
    }
    const { ttl } = change;
    if (ttl !== null && ttl.newLiveUntil > ttl.oldLiveUntil) {
      const id = ttlKeyIdOfHash(ttl.keyHash);
      ctx.changes.put(id, ttlEntry(ttl.keyHash, ttl.newLiveUntil));
    }
  }
  for (const key of ctx.data.resources.footprint.readWrite) {
    const { id, ttl } = footprintKey(key);
    if (written.has(id) || !ctx.changes.erase(id)) continue;
    if (ttl !== undefined) ctx.changes.erase(ttl.id);
  }
  return true;
}

function writeEntry(
  { data, env, changes, log }: SorobanContext,
  id: LedgerKeyId,
  bytes: Uint8Array,
  metrics: InvocationMetrics,
): boolean {
  const entry = decodeXdr(xdr.LedgerEntry, bytes);
  const isCode = entry.data.type === 'contractCode';
  if (!isEntrySizeAllowed(entry.data, bytes.length, env.settings, log)) return false;
  metrics.noteWrite(isCode, id.length, bytes.length);
  const { writeBytes } = data.resources;
  if (metrics.writeBytes > writeBytes) {
    log.error(
      'sceBudget',
      'scecExceededLimit',
      'operation byte-write resources exceeds amount specified',
      [metrics.writeBytes, writeBytes],
    );
    return false;
  }
  changes.putFromHost(id, entry, bytes);
  return true;
}

/** Undefined if events and return value exceed the network's limit. */
function collectEvents(
  { env, log }: SorobanContext,
  { contractEvents, returnValue }: InvokeSuccess,
  metrics: InvocationMetrics,
): xdr.ContractEvent[] | undefined {
  const limit = env.settings.events.txMaxContractEventsSizeBytes;
  const events: xdr.ContractEvent[] = [];
  for (const event of contractEvents) {
    metrics.noteEvent(event.length);
    if (metrics.eventBytes > limit) {
      log.error(
        'sceBudget',
        'scecExceededLimit',
        'total events size exceeds network config maximum',
        [metrics.eventBytes, limit],
      );
      return undefined;
    }
    events.push(lazyXdr(xdr.ContractEvent, event));
  }
  metrics.noteReturnValue(returnValue.length);
  if (metrics.eventBytes > limit) {
    log.error(
      'sceBudget',
      'scecExceededLimit',
      'return value pushes events size above network config maximum',
      [metrics.eventBytes, limit],
    );
    return undefined;
  }
  return events;
}

function succeed(events: xdr.ContractEvent[], returnValue: xdr.ScVal): SorobanResult {
  const preimage = new xdr.InvokeHostFunctionSuccessPreImage({ returnValue, events });
  const hash = hashXdr(preimage);
  const result = resultOf(R.invokeHostFunctionSuccess(hash));
  return { result, success: true, events, returnValue };
}

function resultOf(result: xdr.InvokeHostFunctionResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.invokeHostFunction(result));
}
