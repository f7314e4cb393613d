import { xdr } from '@stellar/stellar-sdk';
import { type ReplyReader, type RequestWriter, readBytes } from './codec.ts';
import { readHostError } from './hostInstance.ts';
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
  Xdr,
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

/**
 * Maximum number of diagnostic event bytes kept for one invocation. A payment has 1,000; a transaction on testnet can publish
 * 16,384 bytes of contract events. The host records up to 40 MB, as much as its memory holds, and does not charge for them.
 */
export const MAX_EVENT_BYTES = 128 << 10;

/** Up to this size, all contract events are kept. */
export const MAX_CONTRACT_EVENT_BYTES = MAX_EVENT_BYTES / 2;

/** First topic of the event that replaces omitted ones. Its second topic is their number. */
export const EVENTS_LEFT_OUT = 'events_left_out';

/**
 * Leaves out events from the middle if there are too many: the first ones show what was called, the last ones why it failed.
 * Contract events take precedence over the host's own.
 */
export function boundedEvents(events: readonly Xdr[]): BoundedEvents {
  if (sizeOf(events) <= MAX_EVENT_BYTES) return allEvents(events);
  const published = sizeOf(events.filter(isPublished));
  const kept = published <= MAX_CONTRACT_EVENT_BYTES ? isPublished : () => false;
  const room = MAX_EVENT_BYTES - (kept === isPublished ? published : 0);
  const others = events.filter((event) => !kept(event));
  const first = fitting(others, room / 2);
  const last = fitting(others.slice(first).reverse(), room / 2);
  const leftOut = others.slice(first, others.length - last);
  const [start] = leftOut;
  if (start === undefined) return allEvents(events);
  const gone = new Set(leftOut);
  return {
    diagnosticEvents: events.flatMap((event) => {
      if (event === start) return [leftOutEvent(leftOut.length, sizeOf(leftOut))];
      return gone.has(event) ? [] : [event];
    }),
    eventsLeftOut: leftOut.length,
  };
}

/** Keeps every event, for comparisons with ledgers of a public network, which keeps all of them. */
function allEvents(events: readonly Xdr[]): BoundedEvents {
  return { diagnosticEvents: events, eventsLeftOut: 0 };
}

/** Returns how many events from the start fit. */
function fitting(events: readonly Xdr[], room: number): number {
  let left = room;
  const end = events.findIndex(({ length }) => {
    left -= length;
    return left < 0;
  });
  return end < 0 ? events.length : end;
}

function sizeOf(events: readonly Xdr[]): number {
  return events.reduce((sum, { length }) => sum + length, 0);
}

const CONTRACT_ID_BYTES = 32;

/** Whether a contract or the ledger published the event, not the host. */
function isPublished(event: Xdr): boolean {
  // `DiagnosticEvent`: whether the call succeeded, the extension point, the optional contract, the type.
  const view = new DataView(event.buffer, event.byteOffset, event.byteLength);
  const contract = view.getUint32(8) === 0 ? 0 : CONTRACT_ID_BYTES;
  return view.getUint32(12 + contract) !== xdr.ContractEventType.diagnostic.value;
}

function leftOutEvent(count: number, bytes: number): Xdr {
  const text = `${count} diagnostic events of ${bytes} bytes are left out here: at most ${MAX_EVENT_BYTES} bytes are kept`;
  const topics = [xdr.ScVal.scvSymbol(EVENTS_LEFT_OUT), xdr.ScVal.scvU32(count)];
  const data = xdr.ScVal.scvString(text);
  return new xdr.DiagnosticEvent({
    inSuccessfulContractCall: false,
    event: new xdr.ContractEvent({
      ext: xdr.ExtensionPoint.v0(),
      contractId: null,
      type: xdr.ContractEventType.diagnostic,
      body: xdr.ContractEventBody.v0(new xdr.ContractEventV0({ topics, data })),
    }),
  }).toXdr();
}
