import { xdr } from '@stellar/stellar-sdk';
import type {
  FootprintEntry,
  InvokeOutcome,
  InvokeSuccess,
  LedgerChange,
} from '../../host/index.ts';
import { entryXdr, type LedgerKeyId, ledgerKeyIdOfXdr, ttlKeyIdOfHash } from '../../state/index.ts';
import { decodeXdr, encodeXdr, hashXdr, lazyXdr } from '../../xdr/index.ts';
import { hostFunctionFailedEvent } from '../diagnostics/diagnosticLog.ts';
import type { ParsedOperation } from '../envelope/index.ts';
import { bringBack } from './bringBack.ts';
import { isEntrySizeAllowed } from './entryLimits.ts';
import {
  archivedIndices,
  type FootprintKey,
  footprintKey,
  isPersistentKey,
} from './footprintKeys.ts';
import { InvocationMetrics } from './invocationMetrics.ts';
import { consumeRefundable } from './resourceFee.ts';
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

/** Why a footprint cannot be loaded. */
type FootprintFailure = 'resourceLimitExceeded' | 'entryArchived';

/** The entries of a footprint in the host's form: read-only first, null for missing ones. */
interface LoadedFootprint {
  readonly entries: readonly (FootprintEntry | null)[];
  /** Positions in the read-write footprint of entries that were restored. */
  readonly restoredIndices: readonly number[];
}

/**
 * Loads the entries of an invocation's footprint, restoring the archived ones that the transaction
 * marked (CAP-66; stellar-core `InvokeHostFunctionApplyHelper::addFootprint`).
 */
function loadFootprint(
  ctx: SorobanContext,
  metrics: InvocationMetrics,
): LoadedFootprint | FootprintFailure {
  return new FootprintLoader(ctx, metrics).load();
}

class FootprintLoader {
  readonly #ctx: SorobanContext;
  readonly #metrics: InvocationMetrics;
  readonly #marked: ReadonlySet<number>;
  readonly #restoredLiveUntil: number;
  readonly #entries: (FootprintEntry | null)[] = [];
  readonly #restoredIndices: number[] = [];

  constructor(ctx: SorobanContext, metrics: InvocationMetrics) {
    this.#ctx = ctx;
    this.#metrics = metrics;
    this.#marked = new Set(archivedIndices(ctx.data));
    const { minPersistentTtl } = ctx.env.settings.archival;
    this.#restoredLiveUntil = ctx.changes.ledgerSeq + minPersistentTtl - 1;
  }

  load(): LoadedFootprint | FootprintFailure {
    const { readOnly, readWrite } = this.#ctx.data.resources.footprint;
    for (const key of readOnly) {
      const failure = this.#loadKey(footprintKey(key), undefined);
      if (failure !== undefined) return failure;
    }
    for (const [index, key] of readWrite.entries()) {
      const failure = this.#loadKey(footprintKey(key), index);
      if (failure !== undefined) return failure;
    }
    return { entries: this.#entries, restoredIndices: this.#restoredIndices };
  }

  /** @param writeIndex the position in the read-write footprint; undefined for read-only keys */
  #loadKey(key: FootprintKey, writeIndex: number | undefined): FootprintFailure | undefined {
    const { changes } = this.#ctx;
    if (key.ttl === undefined) return this.#loadClassic(key);
    const ttl = changes.peek(key.ttl.id);
    if (ttl?.data.type !== 'ttl') {
      if (isPersistentKey(key.key) && changes.wasRestored(key.id)) return this.#addDeleted();
      const archived = isPersistentKey(key.key) ? changes.archived(key.id) : undefined;
      if (archived === undefined) return this.#addAbsent();
      return this.#restore(key, archived, undefined, writeIndex);
    }
    const { liveUntilLedgerSeq } = ttl.data.ttl;
    if (liveUntilLedgerSeq >= changes.ledgerSeq) {
      return this.#addLive(key, key.ttl.hash, liveUntilLedgerSeq);
    }
    const expired = isPersistentKey(key.key) ? changes.peek(key.id) : undefined;
    if (expired === undefined) return this.#addAbsent();
    return this.#restore(key, expired, ttl, writeIndex);
  }

  #loadClassic({ key, id, size }: FootprintKey): FootprintFailure | undefined {
    const entry = this.#ctx.changes.peek(id);
    const bytes = entry === undefined ? undefined : entryXdr(entry);
    this.#entries.push(bytes === undefined ? null : { entry: bytes, ttl: null });
    return this.#meterDiskRead(key, size, bytes?.length ?? 0);
  }

  /** Adds an entry that was restored and deleted again in this ledger, for which no read is counted. */
  #addDeleted(): undefined {
    this.#entries.push(null);
  }

  #addAbsent(): undefined {
    this.#entries.push(null);
    this.#metrics.noteMemoryRead();
  }

  #addLive(
    { key, id }: FootprintKey,
    keyHash: Uint8Array,
    liveUntil: number,
  ): FootprintFailure | undefined {
    const { changes, env, log } = this.#ctx;
    const entry = changes.peek(id);
    if (entry === undefined) return this.#addAbsent();
    const bytes = entryXdr(entry);
    this.#entries.push({ entry: bytes, ttl: { keyHash, liveUntil } });
    if (!isEntrySizeAllowed(key, bytes.length, env.settings, log)) return 'resourceLimitExceeded';
    this.#metrics.noteMemoryRead();
    return undefined;
  }

  #restore(
    { key, id, size, ttl }: FootprintKey,
    entry: xdr.LedgerEntry,
    liveTtl: xdr.LedgerEntry | undefined,
    writeIndex: number | undefined,
  ): FootprintFailure | undefined {
    const { changes, env, log } = this.#ctx;
    if (ttl === undefined || writeIndex === undefined || !this.#marked.has(writeIndex)) {
      this.#tellArchived(key);
      return 'entryArchived';
    }
    const bytes = entryXdr(entry);
    if (!isEntrySizeAllowed(key, bytes.length, env.settings, log)) return 'resourceLimitExceeded';
    const failure = this.#meterDiskRead(key, size, bytes.length);
    if (failure !== undefined) return failure;
    const liveUntil = this.#restoredLiveUntil;
    bringBack(changes, id, ttl, { entry, liveTtl }, liveUntil);
    this.#entries.push({ entry: bytes, ttl: { keyHash: ttl.hash, liveUntil } });
    this.#restoredIndices.push(writeIndex);
    return undefined;
  }

  #meterDiskRead(
    key: xdr.LedgerKey,
    keyBytes: number,
    entryBytes: number,
  ): FootprintFailure | undefined {
    const { data, log } = this.#ctx;
    this.#metrics.noteDiskRead(key.type === 'contractCode', keyBytes, entryBytes);
    const { diskReadBytes } = data.resources;
    if (this.#metrics.readBytes <= diskReadBytes) return undefined;
    log.error(
      'sceBudget',
      'scecExceededLimit',
      'operation byte-read resources exceeds amount specified',
      [this.#metrics.readBytes, diskReadBytes],
    );
    return 'resourceLimitExceeded';
  }

  #tellArchived(key: xdr.LedgerKey): void {
    const { log } = this.#ctx;
    if (key.type === 'contractCode') {
      log.error(
        'sceValue',
        'scecInvalidInput',
        'trying to access an archived contract code entry',
        [xdr.ScVal.scvBytes(key.contractCode.hash.value)],
      );
    } else if (key.type === 'contractData') {
      const { contract, key: dataKey } = key.contractData;
      log.error(
        'sceValue',
        'scecInvalidInput',
        'trying to access an archived contract data entry',
        [xdr.ScVal.scvAddress(contract), dataKey],
      );
    }
  }
}
