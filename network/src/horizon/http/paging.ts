import { type HorizonRequest, linkOf } from './horizonRequest.ts';
import { invalidField } from './problem.ts';

export type Order = 'asc' | 'desc';

/** The requested part of a collection. */
export interface PageQuery {
  /** The empty string: from the start, in the requested order. */
  readonly cursor: string;
  readonly order: Order;
  readonly limit: number;
}

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 200;

/**
 * Reads cursor, order and limit. `Last-Event-ID` takes precedence over the cursor, and `now` selects what future ledgers will
 * bring.
 * @param now returns the cursor after everything that has happened so far
 * @throws HorizonProblem `bad_request`
 */
export function readPageQuery(request: HorizonRequest, now: () => string): PageQuery {
  const asked = request.lastEventId || request.text('cursor');
  const cursor = asked === 'now' ? now() : asked;
  if (/^-\d+$/.test(cursor)) {
    throw invalidField('cursor', `the cursor ${cursor} is a negative number: `);
  }
  const order = request.text('order') || 'asc';
  if (order !== 'asc' && order !== 'desc') throw invalidField('order', 'order: invalid value');
  return { cursor, order, limit: readLimit(request, DEFAULT_LIMIT) };
}

/** @throws HorizonProblem `bad_request` */
export function readLimit(request: HorizonRequest, usual: number): number {
  const text = request.text('limit');
  if (text === '') return usual;
  if (!/^[+-]?\d+$/.test(text)) throw invalidField('limit', 'unparseable value');
  const limit = Number(text);
  if (limit <= 0) throw invalidField('limit', 'invalid limit: non-positive value provided');
  if (limit > MAX_LIMIT) {
    throw invalidField(
      'limit',
      `invalid limit: value provided that is over limit max of ${MAX_LIMIT}`,
    );
  }
  return limit;
}

/** A resource as JSON; fields that are undefined are not written. */
export type Resource = object;

/** One record of a collection, with the cursor that follows it. */
export interface PageRecord<R extends Resource = Resource> {
  readonly token: string;
  readonly resource: R;
}

/** A page of a collection, with the links to itself and its neighbours. */
export function pageResource(
  request: HorizonRequest,
  query: PageQuery,
  records: readonly PageRecord[],
): Resource {
  const { cursor, order, limit } = query;
  const link = (at: string, direction: Order): string => {
    const url = new URL(request.url);
    url.searchParams.set('cursor', at);
    url.searchParams.set('order', direction);
    url.searchParams.set('limit', String(limit));
    url.searchParams.sort();
    return url.href;
  };
  const last = records.at(-1)?.token ?? cursor;
  const first = records[0]?.token ?? cursor;
  return {
    _links: {
      self: linkOf(link(cursor, order)),
      next: linkOf(link(last, order)),
      prev: linkOf(link(first, order === 'asc' ? 'desc' : 'asc')),
    },
    _embedded: { records: records.map(({ resource }) => resource) },
  };
}

/** A list without pages. */
export function listResource(resources: readonly Resource[]): Resource {
  return { _embedded: { records: resources } };
}

/** Takes records until a page is full. */
export function takePage<T>(
  values: Iterable<T>,
  limit: number,
  write: (value: T) => PageRecord | undefined,
): PageRecord[] {
  const page: PageRecord[] = [];
  for (const value of values) {
    const record = write(value);
    if (record !== undefined) page.push(record);
    if (page.length === limit) break;
  }
  return page;
}
