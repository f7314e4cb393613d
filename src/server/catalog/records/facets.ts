import { PAYMENT_PROTOCOLS } from '../../../protocol/index.ts';
import type { EntryFilters } from '../entry.ts';
import { filterClauses } from './filterClauses.ts';
import type { EntrySource } from './readEntries.ts';

/** The number of entries with a value. */
export interface Facet {
  readonly value: string;
  readonly count: number;
}

/** The number of entries for each value of each filter. */
export interface Facets {
  readonly type: readonly Facet[];
  readonly scheme: readonly Facet[];
  readonly network: readonly Facet[];
  /** With the lowest and the highest price, in atomic units. */
  readonly asset: readonly (Facet & { readonly minAmount: string; readonly maxAmount: string })[];
  readonly ownerVerified: number;
  /** By the protocols that a check of the owner saw. */
  readonly protocol: readonly Facet[];
}

/** Maximum number of values of a facet to return; those with the most entries come first. */
const MAX_VALUES = 20;

const DIGITS = /^\d+$/;

/** Returns the facets of the entries that match the filters. */
export async function readFacets(
  { database }: EntrySource,
  filters: EntryFilters,
): Promise<Facets> {
  const { sql, params } = filterClauses(filters);
  const types = await database.all<Facet>(
    `SELECT e.type AS value, COUNT(*) AS count FROM catalog_entries e WHERE ${sql}
     GROUP BY e.type ORDER BY count DESC, value`,
    params,
  );
  const ofOptions = (name: 'scheme' | 'network') =>
    database.all<Facet>(
      `SELECT p.${name} AS value, COUNT(DISTINCT e.key) AS count
       FROM catalog_entries e JOIN catalog_options p ON p.key = e.key WHERE ${sql}
       GROUP BY p.${name} ORDER BY count DESC, value LIMIT ?`,
      [...params, MAX_VALUES],
    );
  const assets = await database.all<Facet & { low: string; high: string }>(
    `SELECT p.asset AS value, COUNT(DISTINCT e.key) AS count,
       MIN(p.amount_order) AS low, MAX(p.amount_order) AS high
     FROM catalog_entries e JOIN catalog_options p ON p.key = e.key WHERE ${sql}
     GROUP BY p.asset ORDER BY count DESC, value LIMIT ?`,
    [...params, MAX_VALUES],
  );
  const [verified] = await database.all<{ count: number }>(
    `SELECT COUNT(*) AS count FROM catalog_entries e
     WHERE ${sql} AND e.owner_state = 'verified'`,
    params,
  );
  const protocols = await Promise.all(
    PAYMENT_PROTOCOLS.map(async (value): Promise<Facet> => {
      const [row] = await database.all<{ count: number }>(
        `SELECT COUNT(*) AS count FROM catalog_entries e WHERE ${sql} AND e.protocols LIKE ?`,
        [...params, `%|${value}|%`],
      );
      return { value, count: row?.count ?? 0 };
    }),
  );
  return {
    type: types,
    scheme: await ofOptions('scheme'),
    network: await ofOptions('network'),
    asset: assets.flatMap(({ value, count, low, high }) =>
      // A damaged price is not a price: the asset is left out, and the other facets are served.
      DIGITS.test(low) && DIGITS.test(high)
        ? [{ value, count, minAmount: BigInt(low).toString(), maxAmount: BigInt(high).toString() }]
        : [],
    ),
    ownerVerified: verified?.count ?? 0,
    protocol: protocols.filter(({ count }) => count > 0),
  };
}
