import { xdr } from '@stellar/stellar-sdk';
import { decodeStrKey, encodeStrKey } from '../../../common/strKey.ts';
import {
  type ClosedLedger,
  type ClosedTransaction,
  MAX_OPERATION,
  MAX_TRANSACTION,
  totalOrderId,
  totalOrderOf,
} from '../history/index.ts';
import { XdrCursor } from '../xdr/index.ts';
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
import { base64Text, base64Xdr, formatOf, readBase64Xdr, type XdrFormat } from './xdrFormat.ts';

/** The position of an event in history. */
interface EventCursor {
  readonly ledger: number;
  readonly transaction: number;
  readonly operation: number;
  readonly event: number;
}

const UINT32_MAX = 0xffffffff;

/** The position after the last event of a ledger. */
function endOfLedger(ledger: number): EventCursor {
  return {
    ledger,
    transaction: MAX_TRANSACTION,
    operation: MAX_OPERATION,
    event: UINT32_MAX,
  };
}

/** A cursor as text, which sorts in the order of events. */
function eventId(cursor: EventCursor): string {
  const place = String(totalOrderId(cursor)).padStart(19, '0');
  return `${place}-${String(cursor.event).padStart(10, '0')}`;
}

/** Reads a cursor; undefined if the text is not one. */
function parseEventId(text: string): EventCursor | undefined {
  const match = /^(\d{1,19})-(\d{1,10})$/.exec(text);
  if (match === null) return undefined;
  const event = Number(match[2]);
  if (event > UINT32_MAX) return undefined;
  return { ...totalOrderOf(BigInt(match[1] ?? '')), event };
}

function compareEventCursors(a: EventCursor, b: EventCursor): number {
  return (
    a.ledger - b.ledger ||
    a.transaction - b.transaction ||
    a.operation - b.operation ||
    a.event - b.event
  );
}

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

const ANY_ONE = '*';
const ANY_MORE = '**';

/** A segment of a topic filter: a value in base64 XDR, or anything. */
type Segment = typeof ANY_ONE | { readonly value: string };

interface TopicFilter {
  readonly segments: readonly Segment[];
  /** Whether more topics are allowed to follow. */
  readonly open: boolean;
}

/** The conditions for an event. Within a list, one match is enough; an empty list matches everything. */
interface EventFilter {
  readonly types: ReadonlySet<string>;
  /** Hashes of contracts, in hex. */
  readonly contracts: ReadonlySet<string>;
  readonly topics: readonly TopicFilter[];
}

/** Reads the filters of getEvents (go-stellar-sdk `protocols/rpc/get_events.go`). @throws RpcError */
function eventFiltersOf(params: RpcParams): EventFilter[] {
  const filters = params.objects('filters').map((filter) => ({
    type: filter.text('type'),
    contractIds: filter.texts('contractIds'),
    topics: filter.textLists('topics'),
  }));
  if (filters.length > LIMITS.eventFilters) throw invalid('maximum 5 filters per request');
  return filters.map(({ type, contractIds, topics }, index) => {
    const fail = (why: string): RpcError => invalid(`filter ${index + 1} invalid: ${why}`);
    return {
      types: typesOf(type, fail),
      contracts: contractsOf(contractIds, fail),
      topics: topicsOf(topics, fail),
    };
  });
}

/** Whether an event matches one of the filters, or there are none. */
function matches(filters: readonly EventFilter[], event: EventParts): boolean {
  return filters.length === 0 || filters.some((filter) => matchesFilter(filter, event));
}

type Fail = (why: string) => RpcError;

function typesOf(text: string, fail: Fail): Set<string> {
  const types = new Set(text === '' ? [] : text.split(','));
  for (const type of types) {
    if (type !== 'system' && type !== 'contract') {
      throw fail("filter type invalid: if set, type must be either 'system' or 'contract'");
    }
  }
  return types;
}

function contractsOf(ids: readonly string[], fail: Fail): Set<string> {
  if (ids.length > LIMITS.contractIdsOfFilter) throw fail('maximum 5 contract IDs per filter');
  return new Set(
    ids.map((id, at) => {
      const bytes = decodeStrKey('contract', id);
      if (bytes === undefined) throw fail(`contract ID ${at + 1} invalid`);
      return Buffer.from(bytes).toString('hex');
    }),
  );
}

function topicsOf(topics: readonly (readonly string[])[], fail: Fail): TopicFilter[] {
  if (topics.length > LIMITS.topicsOfFilter) throw fail('maximum 5 topics per filter');
  return topics.map((texts, index) =>
    topicOf(texts, (why) => fail(`topic ${index + 1} invalid: ${why}`)),
  );
}

function topicOf(texts: readonly string[], fail: Fail): TopicFilter {
  if (texts.length === 0) throw fail('topic must have at least 1 segment');
  const open = texts.at(-1) === ANY_MORE;
  const closed = open ? texts.slice(0, -1) : texts;
  const misplaced = closed.indexOf(ANY_MORE);
  if (misplaced >= 0) {
    const why = "wildcard '**' is only allowed as the last segment";
    throw fail(`segment ${misplaced + 1} invalid: ${why}`);
  }
  if (closed.length > LIMITS.segmentsOfTopic) throw fail('topic cannot have more than 4 segments');
  return { segments: closed.map(segmentOf), open };
}

function segmentOf(text: string): Segment {
  if (text === ANY_ONE) return ANY_ONE;
  const value = readBase64Xdr(xdr.ScVal, text);
  if (value === undefined) {
    throw new RpcError('invalidParams', 'invalid parameters', `${text} is not an ScVal`);
  }
  return { value: base64Xdr(value) };
}

function matchesFilter(filter: EventFilter, event: EventParts): boolean {
  const { types, contracts, topics } = filter;
  if (types.size > 0 && !types.has(event.type)) return false;
  if (contracts.size > 0) {
    const { contract } = event;
    if (contract === undefined || !contracts.has(Buffer.from(contract).toString('hex')))
      return false;
  }
  if (topics.length === 0) return true;
  const values = event.topics.map(base64Text);
  return topics.some((topic) => matchesTopic(topic, values));
}

function matchesTopic({ segments, open }: TopicFilter, values: readonly string[]): boolean {
  if (open ? values.length < segments.length : values.length !== segments.length) return false;
  return segments.every((segment, at) => segment === ANY_ONE || segment.value === values[at]);
}

function invalid(message: string): RpcError {
  return new RpcError('invalidParams', message);
}

/** An event of a closed ledger. */
interface LedgerEvent {
  readonly cursor: EventCursor;
  readonly event: EventParts;
  readonly transaction: ClosedTransaction;
}

/**
 * All events of a ledger in order: fees before all transactions (as transaction 0), those of each operation, those of each
 * transaction after its operations, refunds after all transactions (stellar-rpc `internal/db/event.go`).
 */
function ledgerEvents(ledger: ClosedLedger): LedgerEvent[] {
  const { sequence } = ledger;
  const found: LedgerEvent[] = [];
  let before = 0;
  let after = 0;
  for (const transaction of ledger.transactions) {
    const { applicationOrder, metaParts } = transaction;
    let afterTransaction = 0;
    const add = (order: number, operation: number, index: number, event: EventParts) => {
      const cursor = { ledger: sequence, transaction: order, operation, event: index };
      found.push({ cursor, event, transaction });
    };
    for (const bytes of metaParts.transactionEvents) {
      const { stage, event } = transactionEventParts(bytes);
      switch (stage) {
        case 'transactionEventStageBeforeAllTxs':
          add(0, 0, before++, event);
          break;
        case 'transactionEventStageAfterTx':
          add(applicationOrder, MAX_OPERATION, afterTransaction++, event);
          break;
        case 'transactionEventStageAfterAllTxs':
          add(MAX_TRANSACTION, 0, after++, event);
          break;
      }
    }
    for (const [operation, events] of metaParts.operationEvents.entries()) {
      for (const [index, bytes] of events.entries()) {
        add(applicationOrder, operation, index, eventParts(bytes));
      }
    }
  }
  return found.sort((a, b) => compareEventCursors(a.cursor, b.cursor));
}

/** The XDR of an event, cut into the parts that clients request. */
interface EventParts {
  readonly type: xdr.ContractEventType['name'];
  /** Hash of the contract; undefined for the network's own events. */
  readonly contract: Uint8Array | undefined;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
  /** Size of the XDR in bytes. */
  readonly size: number;
}

/** Cuts a `ContractEvent`. */
function eventParts(event: Uint8Array): EventParts {
  return read(new XdrCursor(event), event.length);
}

/** Cuts a `TransactionEvent`, which includes its stage. */
function transactionEventParts(event: Uint8Array): {
  readonly stage: xdr.TransactionEventStage['name'];
  readonly event: EventParts;
} {
  const cursor = new XdrCursor(event);
  const stage = xdr.TransactionEventStage.fromXdrObject(cursor.uint32()).name;
  return { stage, event: read(cursor, event.length) };
}

function read(cursor: XdrCursor, size: number): EventParts {
  cursor.skip(xdr.ExtensionPoint);
  const contract = cursor.uint32() === 1 ? cursor.take(xdr.ContractId) : undefined;
  const type = xdr.ContractEventType.fromXdrObject(cursor.uint32()).name;
  // Skips the version of the body; there is only one.
  cursor.uint32();
  const topics = cursor.takeList(xdr.ScVal);
  return { type, contract, topics, data: cursor.take(xdr.ScVal), size };
}
