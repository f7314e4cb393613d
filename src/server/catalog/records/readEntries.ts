import { PAYMENT_PROTOCOLS } from '../../../protocol/index.ts';
import type { Queryable } from '../../store/index.ts';
import type { CatalogEntry, EntryFilters } from '../entry.ts';
import { standingOfEntry } from '../evidence.ts';
import type { Observed } from '../observed.ts';
import type { PaymentOption } from '../paymentOption.ts';
import type { Quality, Trust } from '../trust.ts';
import { qualityOf } from './calls.ts';
import type { DamagedRows } from './damagedRows.ts';
import { ENTRY_COLUMNS, type EntryRow } from './entryRow.ts';
import { filterClauses } from './filterClauses.ts';
import { DamagedRow, readListing } from './listingDocument.ts';
import { optionsOf } from './options.ts';
import { usageOfAll } from './usage.ts';

/** The source to read entries from. */
export interface EntrySource {
  readonly database: Queryable;
  readonly observed: Observed;
  /** Collects the rows that cannot be read. */
  readonly damaged: DamagedRows;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const OWNER_STATES: ReadonlySet<string> = new Set<EntryRow['owner_state']>([
  'unchecked',
  'pending',
  'verified',
  'unverifiable',
]);
/** The last time that a `Date` can have. */
const MAX_TIME = 8_640_000_000_000_000;
const isTime = (time: unknown): boolean =>
  typeof time === 'number' && Number.isInteger(time) && Math.abs(time) <= MAX_TIME;

function seenIn({ protocols }: EntryRow): Pick<Trust, 'protocols'> {
  const seen = PAYMENT_PROTOCOLS.filter((name) => protocols.includes(`|${name}|`));
  return seen.length === 0 ? {} : { protocols: seen };
}

/** @throws DamagedRow if the columns or the document are not those of an entry */
function toEntry(
  row: EntryRow,
  accepts: readonly PaymentOption[],
  quality: Quality,
  observed: Observed,
): CatalogEntry {
  if (![row.created_at, row.updated_at, row.settled_at].every(isTime))
    throw new DamagedRow('a time is not a time');
  if (!OWNER_STATES.has(row.owner_state)) throw new DamagedRow('the owner state is unknown');
  if (accepts.length === 0) throw new DamagedRow('none of its payment options can be read');
  const seen = observed.count(row.key);
  return {
    listing: readListing(row.document, row.key),
    payTo: row.pay_to,
    accepts,
    trust: {
      settlements: row.settlements,
      uniquePayers: row.unique_payers,
      observedSettlements: seen,
      statsSource: seen > 0 ? 'observed' : 'persisted',
      ownerVerified: row.owner_state === 'verified',
      verification: 'unknown',
      acceptsVerification: 'unknown',
      lastSettledAt: new Date(row.settled_at).toISOString(),
      ...(row.local_check === null ? {} : { localCheck: row.local_check === 1 }),
      ...seenIn(row),
    },
    quality,
    ownerState: row.owner_state,
    standing: standingOfEntry({
      ownerState: row.owner_state,
      isLocal: row.local_check === 1,
      evidence: row.evidence,
      createdAt: row.created_at,
      settledAt: row.settled_at,
    }),
    sequence: row.sequence,
    createdAt: row.created_at,
    updatedAt: Math.max(row.updated_at, row.settled_at),
  };
}

/** Returns the entries of rows, without those that are damaged. */
async function withOptions(
  rows: readonly EntryRow[],
  { database, observed, damaged, now }: EntrySource,
): Promise<CatalogEntry[]> {
  const options = await optionsOf(
    database,
    rows.map(({ key }) => key),
  );
  const quality = await qualityOf(database, rows, now());
  return rows.flatMap(
    (row) =>
      damaged.reading(row.key, () =>
        toEntry(row, options.get(row.key) ?? [], quality.get(row.key) ?? {}, observed),
      ) ?? [],
  );
}

export interface Slice {
  readonly limit: number;
  readonly offset: number;
  readonly order: Order;
}

/**
 * - `oldest`: by first listing, so that new entries do not shift the pages;
 * - `newest`: the reverse;
 * - `trusted`: entries with a verified owner first, then the most recently paid. Payments alone do not lift
 *   an entry above a verified one: on testnet they cost nothing.
 */
export const ORDERS = ['oldest', 'newest', 'trusted'] as const;
export type Order = (typeof ORDERS)[number];

const ORDERED: Readonly<Record<Order, string>> = {
  oldest: 'ORDER BY e.sequence ASC',
  newest: 'ORDER BY e.sequence DESC',
  // `verified` sorts last among the owner states, so one index over both columns serves this order.
  trusted: 'ORDER BY e.owner_state DESC, e.settled_at DESC, e.sequence DESC',
};

/**
 * Returns a page of the matching entries. Earlier entries are skipped in an index, without reading
 * them.
 */
export async function readSlice(
  source: EntrySource,
  filters: EntryFilters,
  { limit, offset, order }: Slice,
): Promise<CatalogEntry[]> {
  const { sql, params } = filterClauses(filters);
  const inOrder = ORDERED[order];
  const rows = await source.database.all<EntryRow>(
    `SELECT ${ENTRY_COLUMNS} FROM catalog_entries e WHERE e.sequence IN (
       SELECT e.sequence FROM catalog_entries e WHERE ${sql} ${inOrder} LIMIT ? OFFSET ?
     ) ${inOrder}`,
    [...params, limit, offset],
  );
  return withOptions(rows, source);
}

/** Counts the matching entries. */
export async function countEntries(
  { database }: EntrySource,
  filters: EntryFilters,
): Promise<number> {
  if (Object.keys(filters).length === 0) return (await usageOfAll(database)).entries;
  const { sql, params } = filterClauses(filters);
  const [row] = await database.all<{ count: number }>(
    `SELECT COUNT(*) AS count FROM catalog_entries e WHERE ${sql}`,
    params,
  );
  return row?.count ?? 0;
}

/** Returns listed entries by key, in the order of the keys, without those that were removed. */
export async function readByKeys(
  source: EntrySource,
  keys: readonly string[],
): Promise<CatalogEntry[]> {
  if (keys.length === 0) return [];
  const rows = await source.database.all<EntryRow>(
    `SELECT ${ENTRY_COLUMNS} FROM catalog_entries e
     WHERE e.listed = 1 AND e.key IN (${keys.map(() => '?').join(', ')})`,
    keys,
  );
  const entries = await withOptions(rows, source);
  const byKey = new Map(entries.map((entry) => [entry.listing.key as string, entry]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

/** Maximum number of keys in one statement; PostgreSQL accepts up to 65,535 values, SQLite 32,766. */
const KEYS_AT_ONCE = 500;

/** Returns the keys whose entries match the filters. */
export async function matchingKeys(
  { database }: EntrySource,
  keys: readonly string[],
  filters: EntryFilters,
): Promise<Set<string>> {
  const { sql, params } = filterClauses(filters);
  const matching = new Set<string>();
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    const some = keys.slice(from, from + KEYS_AT_ONCE);
    const rows = await database.all<{ key: string }>(
      `SELECT e.key FROM catalog_entries e
       WHERE e.key IN (${some.map(() => '?').join(', ')}) AND ${sql}`,
      [...some, ...params],
    );
    for (const { key } of rows) matching.add(key);
  }
  return matching;
}

/** A step over all entries. */
export interface EntryStep {
  readonly entries: readonly CatalogEntry[];
  /** The sequence of the step's last row, damaged or not; undefined at the end. */
  readonly last: number | undefined;
}

/** Returns the next entries in the order of first listings, to iterate over all of them in steps. */
export async function readAfter(
  source: EntrySource,
  sequence: number,
  limit: number,
): Promise<EntryStep> {
  const rows = await source.database.all<EntryRow>(
    `SELECT ${ENTRY_COLUMNS} FROM catalog_entries e
     WHERE e.listed = 1 AND e.sequence > ? ORDER BY e.sequence LIMIT ?`,
    [sequence, limit],
  );
  return { entries: await withOptions(rows, source), last: rows.at(-1)?.sequence };
}

/** Returns the entries that were settled or listed last. */
export async function readLatest(source: EntrySource, limit: number): Promise<CatalogEntry[]> {
  const rows = await source.database.all<EntryRow>(
    `SELECT ${ENTRY_COLUMNS} FROM catalog_entries e
     WHERE e.listed = 1 ORDER BY e.settled_at DESC LIMIT ?`,
    [limit],
  );
  return withOptions(rows, source);
}
