import type { xdr } from '@stellar/stellar-sdk';
import { encodeStrKey } from '../../protocol/index.ts';
import type { ClosedLedger, LedgerHistory } from '../history/index.ts';
import {
  compareEventCursors,
  type EventCursor,
  endOfLedger,
  eventId,
  parseEventId,
} from './eventCursor.ts';
import { type EventFilter, eventFiltersOf, matches } from './eventFilter.ts';
import { type LedgerEvent, ledgerEvents } from './ledgerEvents.ts';
import {
  type LedgerRange,
  type RangeFieldsAsText,
  rangeFieldsAsText,
  rangeOf,
} from './ledgerRange.ts';
import { LIMITS } from './limits.ts';
import { RpcError } from './rpcError.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import { base64Xdr, formatOf, type XdrFormat } from './xdrFormat.ts';

/** Result of `getEvents`. */
export interface EventsResult<F extends XdrFormat = XdrFormat> extends RangeFieldsAsText {
  readonly events: readonly EventInfo<F>[];
  readonly cursor: string;
}

type EventInfo<F extends XdrFormat> = {
  readonly type: xdr.ContractEventType['name'];
  readonly ledger: number;
  /** RFC 3339, to the second. */
  readonly ledgerClosedAt: string;
  /** Empty for the network's own events. */
  readonly contractId: string;
  readonly id: string;
  readonly operationIndex: number;
  readonly transactionIndex: number;
  readonly txHash: string;
  readonly inSuccessfulContractCall: boolean;
} & (F extends 'base64'
  ? { readonly topic: readonly string[]; readonly value: string }
  : { readonly topicJson: readonly unknown[]; readonly valueJson: unknown });

/** @throws RpcError */
export function getEvents(
  { service: { history }, spend }: RpcNetwork,
  params: RpcParams,
): EventsResult {
  const format = formatOf(params);
  const { start, endLedger, limit } = searchOf(params, rangeOf(history));
  const filters = eventFiltersOf(params);
  requireInRange(start, rangeOf(history));
  const found = [...search(history, start, endLedger, filters, limit, spend)];
  const last = found.length === limit ? found.at(-1)?.event.cursor : undefined;
  return {
    events: found.map(({ event, ledger }) => eventInfo(event, ledger, format)),
    cursor: eventId(last ?? endOfLedger(endLedger - 1)),
    ...rangeFieldsAsText(history),
  };
}

interface Search {
  readonly start: EventCursor;
  /** The first ledger that is not looked at. */
  readonly endLedger: number;
  readonly limit: number;
}

function searchOf(params: RpcParams, range: LedgerRange): Search {
  const startLedger = params.count('startLedger');
  const askedEnd = params.count('endLedger');
  const pagination = params.object('pagination');
  const limit = pagination?.count('limit') ?? 0;
  const cursorText = pagination?.has('cursor') ? pagination.text('cursor') : undefined;
  const cursor = cursorText === undefined ? undefined : parseEventId(cursorText);
  if (cursorText !== undefined && cursor === undefined) {
    throw new RpcError('invalidParams', 'invalid parameters', `invalid event id ${cursorText}`);
  }
  if (cursor !== undefined && (startLedger !== 0 || askedEnd !== 0)) {
    throw new RpcError('invalidParams', 'ledger ranges and cursor cannot both be set');
  }
  if (cursor === undefined && startLedger === 0) {
    throw new RpcError('invalidParams', 'startLedger must be positive');
  }
  if (limit > LIMITS.events.max) {
    throw new RpcError('invalidParams', `limit must not exceed ${LIMITS.events.max}`);
  }
  // The cursor is the last event that was seen.
  const start = cursor
    ? { ...cursor, event: cursor.event + 1 }
    : { ledger: startLedger, transaction: 0, operation: 0, event: 0 };
  const scanned = Math.min(range.last + 1, start.ledger + LIMITS.eventScanLedgers);
  return {
    start,
    endLedger: askedEnd === 0 ? scanned : Math.min(askedEnd, scanned),
    limit: limit > 0 ? limit : LIMITS.events.default,
  };
}

function requireInRange({ ledger }: EventCursor, { first, last }: LedgerRange): void {
  if (ledger >= first && ledger <= last) return;
  const message = `startLedger must be within the ledger range: ${first} - ${last}`;
  throw new RpcError('invalidRequest', message);
}

interface Found {
  readonly event: LedgerEvent;
  readonly ledger: ClosedLedger;
}

function* search(
  history: LedgerHistory,
  start: EventCursor,
  endLedger: number,
  filters: readonly EventFilter[],
  limit: number,
  spend: RpcNetwork['spend'],
): Generator<Found> {
  let left = limit;
  for (const ledger of history.ledgersWithTransactions(start.ledger, endLedger - 1)) {
    const events = ledgerEvents(ledger);
    spend('events', events.length);
    for (const event of events) {
      if (compareEventCursors(event.cursor, start) < 0 || !matches(filters, event.event)) continue;
      yield { event, ledger };
      left -= 1;
      if (left === 0) return;
    }
  }
}

function eventInfo(
  { cursor, event, transaction }: LedgerEvent,
  ledger: ClosedLedger,
  format: XdrFormat,
): EventInfo<XdrFormat> {
  const { topics, data } = event.body.v0;
  return {
    type: event.type.name,
    ledger: cursor.ledger,
    ledgerClosedAt: new Date(ledger.closeTime * 1_000).toISOString().replace('.000Z', 'Z'),
    contractId: event.contractId === null ? '' : encodeStrKey('contract', event.contractId.value),
    id: eventId(cursor),
    operationIndex: cursor.operation,
    transactionIndex: cursor.transaction,
    txHash: transaction.hash,
    inSuccessfulContractCall: transaction.successful,
    ...(format === 'json'
      ? { topicJson: topics.map((topic) => topic.toJson()), valueJson: data.toJson() }
      : { topic: topics.map(base64Xdr), value: base64Xdr(data) }),
  };
}
