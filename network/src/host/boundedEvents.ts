import { xdr } from '@stellar/stellar-sdk';
import type { BoundedEvents, Xdr } from './types.ts';

/**
 * Maximum number of diagnostic event bytes kept for one invocation. A payment has 1,000; a transaction on testnet can publish
 * 16,384 bytes of contract events. The host records up to 40 MB, as much as its memory holds, and does not charge for them.
 */
export const MOST_EVENT_BYTES = 128 << 10;

/** Up to this size, all contract events are kept. */
export const MOST_CONTRACT_EVENT_BYTES = MOST_EVENT_BYTES / 2;

/** First topic of the event that replaces omitted ones. Its second topic is their number. */
export const EVENTS_LEFT_OUT = 'events_left_out';

/**
 * Leaves out events from the middle if there are too many: the first ones show what was called, the last ones why it failed.
 * Contract events take precedence over the host's own.
 */
export function boundedEvents(events: readonly Xdr[]): BoundedEvents {
  if (sizeOf(events) <= MOST_EVENT_BYTES) return allEvents(events);
  const published = sizeOf(events.filter(isPublished));
  const kept = published <= MOST_CONTRACT_EVENT_BYTES ? isPublished : () => false;
  const room = MOST_EVENT_BYTES - (kept === isPublished ? published : 0);
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
export function allEvents(events: readonly Xdr[]): BoundedEvents {
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
  const text = `${count} diagnostic events of ${bytes} bytes are left out here: at most ${MOST_EVENT_BYTES} bytes are kept`;
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
