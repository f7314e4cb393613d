import type { HorizonRequest } from './horizonRequest.ts';
import { linkOf } from './links.ts';
import type { Order, PageQuery } from './pageQuery.ts';

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
