import { queryTerms, synonymGroup } from '../text/terms.ts';

/** A key of the index and how much it counts. */
export interface QueryKey {
  readonly key: string;
  readonly times: 1 | 2;
}

/** So that a query cannot cost without bound. */
const MOST_TERMS = 32;

/**
 * The keys that a query looks up. A term counts twice its fields' weight; one of a synonym group once by
 * itself and once by its group, so that an entry with another word of the group gets half.
 */
export function queryKeys(query: string): QueryKey[] {
  const keys = new Map<string, QueryKey>();
  for (const term of queryTerms(query).slice(0, MOST_TERMS)) {
    const group = synonymGroup(term);
    keys.set(term, { key: term, times: group === undefined ? 2 : 1 });
    if (group !== undefined) keys.set(group, { key: group, times: 1 });
  }
  return [...keys.values()];
}
