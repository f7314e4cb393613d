import type { HorizonRequest } from './horizonRequest.ts';
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
