import { allEvents, boundedEvents } from './boundedEvents.ts';
import { type ReplyReader, type RequestWriter, readBytes } from './codec.ts';
import { readHostError } from './hostError.ts';
import type {
  BoundedEvents,
  CallCost,
  FootprintEntry,
  ImpersonatedAddresses,
  InvokeOutcome,
  InvokeRequest,
  LedgerChange,
  LedgerPoint,
  Metering,
} from './types.ts';

export function writeLedgerPoint(w: RequestWriter, ledger: LedgerPoint): void {
  w.u32(ledger.sequence).u64(ledger.closeTime);
}

function writeFootprintEntry(w: RequestWriter, item: FootprintEntry | null): void {
  w.bool(item !== null);
  if (item === null) {
    return;
  }
  w.bytes(item.entry).bool(item.ttl !== null);
  if (item.ttl !== null) {
    w.fixed(item.ttl.keyHash, 32).u32(item.ttl.liveUntil);
  }
}

const NOBODY = 0;
const LISTED = 1;
const EVERYBODY = 2;

/** Counterpart of `network/host/src/embedder.rs`. */
export function writeImpersonated(w: RequestWriter, who: ImpersonatedAddresses): void {
  if (typeof who === 'string') {
    w.u32(who === 'everybody' ? EVERYBODY : NOBODY).list([], () => undefined);
  } else {
    w.u32(LISTED).list(who, (address) => w.bytes(address));
  }
}

/** Counterpart of `network/host/src/invoke.rs`. */
export function writeInvokeRequest(w: RequestWriter, q: InvokeRequest): void {
  writeLedgerPoint(w, q.ledger);
  w.u32(q.instructions).bytes(q.hostFunction).bytes(q.resources);
  w.list(q.restoredIndices, (index) => w.u32(index));
  w.bytes(q.sourceAccount);
  w.list(q.auth, (entry) => w.bytes(entry));
  writeImpersonated(w, q.impersonated ?? 'nobody');
  w.list(q.footprint, (item) => writeFootprintEntry(w, item));
  w.fixed(q.prngSeed, 32).bool(q.diagnostics);
}

function readChange(reply: ReplyReader): LedgerChange {
  return {
    key: reply.bytes(),
    readOnly: reply.bool(),
    newValue: reply.optional(),
    oldSizeForRent: reply.u32(),
    newSizeForRent: reply.u32(),
    ttl: reply.bool()
      ? { keyHash: reply.bytes(), oldLiveUntil: reply.u32(), newLiveUntil: reply.u32() }
      : null,
  };
}

/** The first part of every outcome of a call: what it consumed, and the events recorded. */
export function readSpent(reply: ReplyReader, keep = boundedEvents): Metering & BoundedEvents {
  const cpuInstructions = reply.count();
  const memoryBytes = reply.count();
  // There can be 40 MB of them; only the few that are kept are copied.
  const { diagnosticEvents, eventsLeftOut } = keep(reply.list((r) => r.view()));
  return {
    cpuInstructions,
    memoryBytes,
    diagnosticEvents: diagnosticEvents.map((event) => reply.kept(event)),
    eventsLeftOut,
    calls: reply.list(readCallCost),
  };
}

function readCallCost(reply: ReplyReader): CallCost {
  return { cpuInstructions: reply.count(), memoryBytes: reply.count() };
}

/** Which diagnostic events are kept: as many as this network serves, or all. */
export type KeptEvents = 'bounded' | 'all';

export function readInvokeOutcome(reply: ReplyReader, kept: KeptEvents): InvokeOutcome {
  const spent = readSpent(reply, kept === 'all' ? allEvents : boundedEvents);
  if (!reply.bool()) return { ok: false, ...spent, error: readHostError(reply) };
  return {
    ok: true,
    ...spent,
    returnValue: reply.bytes(),
    contractEvents: reply.list(readBytes),
    changes: reply.list(readChange),
    rentFee: reply.i64(),
  };
}
