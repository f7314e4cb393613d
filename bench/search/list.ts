import { USDC_CONTRACT } from '../../src/protocol/index.ts';
import { createObserved } from '../../src/server/catalog/observed.ts';
import { DamagedRows } from '../../src/server/catalog/records/damagedRows.ts';
import { countEntries, readSlice } from '../../src/server/catalog/records/readEntries.ts';
import { silentLogger } from '../../src/server/logger.ts';
import type { SearchDocument } from '../../src/server/search/index.ts';
import type { Database, SqlValue } from '../../src/server/store/index.ts';
import { corpus } from './corpus.ts';
import { type Spread, spreadOf } from './measure.ts';

const ROWS = 500;
const REQUESTS = 150;
const ENTRY_COLUMNS =
  'key, sequence, url_key, origin, depth, templated, pay_to, listed, type, extension_names, document, ' +
  'bytes, settlements, unique_payers, created_at, updated_at, settled_at, owner_state, owner_failure, ' +
  'owner_words';
const OPTION_COLUMNS = 'key, scheme, network, asset, amount_order, document, updated_at';

export interface ListMeasured {
  readonly first: Spread;
  /** A page in the middle, which requires counting to an offset. */
  readonly middle: Spread;
  readonly seller: Spread;
}

/**
 * Times `GET /discovery/resources` below the HTTP layer: a page of twenty and the total, over this many entries.
 * PostgreSQL's autovacuum cleans a table within a minute or so of such a load; `VACUUM ANALYZE` does it at once, so
 * that no run depends on when it came.
 */
export async function measureList(
  database: Database,
  entries: number,
  upkeep: 'ANALYZE' | 'VACUUM ANALYZE',
): Promise<ListMeasured> {
  await fillStore(database, entries);
  await database.run(upkeep);
  const source = {
    database,
    observed: createObserved(),
    damaged: new DamagedRows(silentLogger),
    now: Date.now,
  };
  const time = async (offset: number, filters: { payTo?: string }) => {
    const waits: number[] = [];
    for (let n = 0; n < REQUESTS; n += 1) {
      const begin = performance.now();
      await readSlice(source, filters, { limit: 20, offset, order: 'oldest' });
      await countEntries(source, filters);
      if (n >= REQUESTS / 10) waits.push(performance.now() - begin);
    }
    return spreadOf(waits);
  };
  return {
    first: await time(0, {}),
    middle: await time(Math.floor(entries / 2), {}),
    seller: await time(0, { payTo: 'G7' }),
  };
}

export const LIST_HEADER = [
  'entries',
  'first p50',
  'p99',
  'middle p50',
  'p99',
  "a seller's p50",
  'p99',
];

export const listCells = ({ first, middle, seller }: ListMeasured): string[] =>
  [first, middle, seller].flatMap(({ p50, p99 }) => [p50.toFixed(2), p99.toFixed(2)]);

/** Fills an empty store with entries like those of the catalog. */
export async function fillStore(database: Database, entries: number): Promise<void> {
  let batch: SearchDocument[] = [];
  for (const document of corpus(entries)) {
    batch.push(document);
    if (batch.length < ROWS && document.sequence < entries) continue;
    await insert(database, 'catalog_entries', ENTRY_COLUMNS, batch.map(entryRow));
    await insert(database, 'catalog_options', OPTION_COLUMNS, batch.map(optionRow));
    batch = [];
  }
  await database.run('UPDATE catalog_totals SET entries = ?, next_sequence = ?', [
    entries,
    entries + 1,
  ]);
}

async function insert(
  database: Database,
  name: string,
  columns: string,
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  const row = `(${columns.replace(/\w+/g, '?')})`;
  await database.run(
    `INSERT INTO ${name} (${columns}) VALUES ${rows.map(() => row).join(', ')}`,
    rows.flat(),
  );
}

function entryRow(document: SearchDocument): SqlValue[] {
  const { id, sequence, url, fields, settlements, uniquePayers } = document;
  const { serviceName, description, tags } = document;
  const { origin } = new URL(url);
  const extensions = { bazaar: { info: { input: { type: 'http' } }, schema: {} } };
  const listing = JSON.stringify({
    ...{ key: id, resource: url, origin, type: fields.type, templated: false },
    ...{ serviceName, description, tags, extensions },
  });
  return [
    ...[
      id,
      sequence,
      url,
      origin,
      2,
      0,
      fields.payTo[0] ?? '',
      1,
      fields.type,
      '|bazaar|',
      listing,
    ],
    ...[listing.length, settlements, uniquePayers, 0, 0, 0, 'verified', null, 0],
  ];
}

function optionRow({ id, fields }: SearchDocument): SqlValue[] {
  const option = {
    ...{ scheme: 'exact', network: 'stellar:testnet', asset: USDC_CONTRACT, amount: '1000000' },
    ...{ payTo: fields.payTo[0], maxTimeoutSeconds: 60 },
  };
  const order = option.amount.padStart(40, '0');
  return [id, option.scheme, option.network, option.asset, order, JSON.stringify(option), 0];
}
