import { MAX_OPERATION, MAX_TRANSACTION, totalOrderId, totalOrderOf } from '../history/index.ts';

/** The position of an event in history. */
export interface EventCursor {
  readonly ledger: number;
  readonly transaction: number;
  readonly operation: number;
  readonly event: number;
}

const UINT32_MAX = 0xffffffff;

/** The position after the last event of a ledger. */
export function endOfLedger(ledger: number): EventCursor {
  return {
    ledger,
    transaction: MAX_TRANSACTION,
    operation: MAX_OPERATION,
    event: UINT32_MAX,
  };
}

/** A cursor as text, which sorts in the order of events. */
export function eventId(cursor: EventCursor): string {
  const place = String(totalOrderId(cursor)).padStart(19, '0');
  return `${place}-${String(cursor.event).padStart(10, '0')}`;
}

/** Reads a cursor; undefined if the text is not one. */
export function parseEventId(text: string): EventCursor | undefined {
  const match = /^(\d{1,19})-(\d{1,10})$/.exec(text);
  if (match === null) return undefined;
  const event = Number(match[2]);
  if (event > UINT32_MAX) return undefined;
  return { ...totalOrderOf(BigInt(match[1] ?? '')), event };
}

export function compareEventCursors(a: EventCursor, b: EventCursor): number {
  return (
    a.ledger - b.ledger ||
    a.transaction - b.transaction ||
    a.operation - b.operation ||
    a.event - b.event
  );
}
