import { xdr } from '@stellar/stellar-sdk';
import { encodeStrKey } from '../../../common/strKey.ts';
import type { ClosedLedger } from '../history/index.ts';
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
import { PageSize } from './pageSize.ts';
import { RpcError } from './rpcError.ts';
import type { RpcNetwork } from './rpcNetwork.ts';
import type { RpcParams } from './rpcParams.ts';
import { base64Text, formatOf, type XdrFormat } from './xdrFormat.ts';

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
export async function getEvents(network: RpcNetwork, params: RpcParams): Promise<EventsResult> {
  const { history } = network.service;
  const format = formatOf(params);
  const { start, endLedger, limit } = searchOf(params, rangeOf(history));
  const filters = eventFiltersOf(params);
  requireInRange(start, rangeOf(history));
  const fields = rangeFieldsAsText(history);
  const { events, last } = await search(network, start, endLedger, filters, limit, format);
  return { events, cursor: eventId(last), ...fields };
}

interface Search {
  readonly start: EventCursor;
  /** The first ledger that is not searched. */
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
  // The cursor is that of the last event the client saw.
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
  readonly events: readonly EventInfo<XdrFormat>[];
  /** Where the next page begins. */
  readonly last: EventCursor;
}

async function search(
  { service: { history }, spend, pause }: RpcNetwork,
  start: EventCursor,
  endLedger: number,
  filters: readonly EventFilter[],
  limit: number,
  format: XdrFormat,
): Promise<Found> {
  const size = new PageSize(format, spend);
  const events: EventInfo<XdrFormat>[] = [];
  let unseen: number = LIMITS.pageBytes.eventScan;
  for (const ledger of history.ledgersWithTransactions(start.ledger, endLedger - 1)) {
    await pause();
    const inLedger = ledgerEvents(ledger);
    spend('events', inLedger.length);
    spend('bytes', ledger.bytes.length);
    for (const found of inLedger) {
      const { cursor, event } = found;
      if (compareEventCursors(cursor, start) < 0 || !matches(filters, event)) continue;
      events.push(eventInfo(found, ledger, format));
      size.add(event.size);
      if (events.length === limit || size.full) return { events, last: cursor };
    }
    unseen -= ledger.bytes.length;
    if (unseen <= 0) return { events, last: endOfLedger(ledger.sequence) };
  }
  return { events, last: endOfLedger(endLedger - 1) };
}

function eventInfo(
  { cursor, event, transaction }: LedgerEvent,
  ledger: ClosedLedger,
  format: XdrFormat,
): EventInfo<XdrFormat> {
  const { type, contract, topics, data } = event;
  return {
    type,
    ledger: cursor.ledger,
    ledgerClosedAt: new Date(ledger.closeTime * 1_000).toISOString().replace('.000Z', 'Z'),
    contractId: contract === undefined ? '' : encodeStrKey('contract', contract),
    id: eventId(cursor),
    operationIndex: cursor.operation,
    transactionIndex: cursor.transaction,
    txHash: transaction.hash,
    inSuccessfulContractCall: transaction.successful,
    ...(format === 'json'
      ? { topicJson: topics.map(jsonOfValue), valueJson: jsonOfValue(data) }
      : { topic: topics.map(base64Text), value: base64Text(data) }),
  };
}

function jsonOfValue(bytes: Uint8Array): unknown {
  return xdr.ScVal.fromXdr(bytes).toJson();
}
