import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { USDC_CONTRACT } from '../../../protocol/index.ts';
import { openStore } from '../../store/index.ts';
import type { EntryFilters } from '../entry.ts';
import { filterClauses } from './filterClauses.ts';

const database = await openStore({ databaseUrl: null, dataFolder: null });
after(() => database.close());

const OPTION_FILTERS: readonly EntryFilters[] = [
  { scheme: 'exact' },
  { network: 'stellar:testnet' },
  { asset: USDC_CONTRACT },
  { minAmount: 1n },
  { maxAmount: 9n },
  { maxUsdPrice: 5n },
];

/** Every set of filters on options. */
const sets = Array.from({ length: 2 ** OPTION_FILTERS.length - 1 }, (_, n) =>
  Object.assign({}, ...OPTION_FILTERS.filter((_one, at) => ((n + 1) >> at) & 1)),
) as EntryFilters[];

describe('A filter reads only the own options of each entry', () => {
  it("whichever filters are combined, SQLite finds the options by the entry's key", async () => {
    for (const filters of sets) {
      const { sql, params } = filterClauses(filters);
      const plan = await database.all<{ detail: string }>(
        `EXPLAIN QUERY PLAN SELECT COUNT(*) FROM catalog_entries e WHERE ${sql}`,
        params,
      );
      const ofOptions = plan.map(({ detail }) => detail).filter((line) => / o /.test(line));
      assert.ok(
        ofOptions.length === 1 && /\(key=\?/.test(ofOptions[0] ?? ''),
        `${JSON.stringify(Object.keys(filters))}: ${ofOptions.join('; ')}`,
      );
    }
  });
});
