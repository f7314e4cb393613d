import { xdr } from '@stellar/stellar-sdk';
import { decodeStrKey } from '../../../common/strKey.ts';
import type { EventParts } from './eventParts.ts';
import { LIMITS } from './limits.ts';
import { RpcError } from './rpcError.ts';
import type { RpcParams } from './rpcParams.ts';
import { base64Text, base64Xdr, readBase64Xdr } from './xdrFormat.ts';

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
export interface EventFilter {
  readonly types: ReadonlySet<string>;
  /** Hashes of contracts, in hex. */
  readonly contracts: ReadonlySet<string>;
  readonly topics: readonly TopicFilter[];
}

/** Reads the filters of getEvents (go-stellar-sdk `protocols/rpc/get_events.go`). @throws RpcError */
export function eventFiltersOf(params: RpcParams): EventFilter[] {
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
export function matches(filters: readonly EventFilter[], event: EventParts): boolean {
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
