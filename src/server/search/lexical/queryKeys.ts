import { queryTerms, synonymGroup } from '../text/terms.ts';
import { rarity } from './statistics.ts';

/** A key of the index, and how much it counts. */
export interface QueryKey {
  readonly key: string;
  readonly times: 1 | 2;
}

/** A key with its weight in a query: how much it counts, multiplied by its rarity. */
export interface WeighedKey {
  readonly key: string;
  readonly weight: number;
}

/** A query's keys that occur in entries, and the weight of all its keys. */
export interface WeighedQuery {
  readonly keys: readonly WeighedKey[];
  /** The weight of all keys, including those that no entry has. */
  readonly weight: number;
}

/** How much a term counts that is in no synonym group. */
export const TIMES = 2;
/** Maximum number of terms to read, so that the cost of a query is bounded. */
const MAX_TERMS = 256;
/** Maximum number of keys to look up: those with the greatest weight in a long text. */
const MAX_KEYS = 24;

/**
 * Returns the keys that a query looks up. A term counts twice its fields' weight; a term of a synonym group counts once by
 * itself and once by its group, so that an entry with another word of the group gets half.
 */
export function queryKeys(query: string): QueryKey[] {
  const keys = new Map<string, QueryKey>();
  for (const term of queryTerms(query).slice(0, MAX_TERMS)) {
    const group = synonymGroup(term);
    keys.set(term, { key: term, times: group === undefined ? TIMES : 1 });
    if (group !== undefined) keys.set(group, { key: group, times: 1 });
  }
  return [...keys.values()];
}

/**
 * Weighs keys by their rarity and keeps those with the greatest weight.
 *
 * @param rarityOf null for a key that no entry has
 * @param entries total number of entries
 */
export function weighed(
  keys: readonly QueryKey[],
  rarityOf: (key: string) => number | null,
  entries: number,
): WeighedQuery {
  const found: WeighedKey[] = [];
  const weights: number[] = [];
  for (const { key, times } of keys) {
    const known = rarityOf(key);
    if (known !== null) found.push({ key, weight: times * known });
    weights.push(times * (known ?? rarity(0, entries)));
  }
  return { keys: heaviest(found), weight: sumOfHeaviest(weights) };
}

const heaviest = (found: WeighedKey[]): WeighedKey[] =>
  found.length <= MAX_KEYS
    ? found
    : found.sort((a, b) => b.weight - a.weight || (a.key < b.key ? -1 : 1)).slice(0, MAX_KEYS);

const sumOfHeaviest = (weights: number[]): number =>
  weights
    .sort((a, b) => b - a)
    .slice(0, MAX_KEYS)
    .reduce((sum, weight) => sum + weight, 0);
