import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { silentLogger } from '../../src/server/logger.ts';
import { type CatalogSearch, openCatalogSearch } from '../../src/server/search/index.ts';
import { readSearchWords } from '../../src/server/searchWords.ts';
import type { Database } from '../../src/server/store/index.ts';
import { openTestCatalog } from '../support/catalog.ts';
import { openPglite } from '../support/pgliteDatabase.ts';
import { testClock } from '../support/testClock.ts';

for (const pgvector of [true, false]) {
  describe(`The search after a restart, in PostgreSQL ${pgvector ? 'with' : 'without'} pgvector`, () => {
    let database: Database;
    const clock = testClock(Date.UTC(2026, 10, 21));
    before(async () => {
      database = await openPglite({ pgvector });
    });
    after(() => database.close());
    const open = (): Promise<CatalogSearch> =>
      openCatalogSearch({
        database,
        embeddings: null,
        readWords: readSearchWords,
        fetch,
        clock,
        logger: silentLogger,
      });

    it('finds the same entries, even those that a process end interrupted', async () => {
      const first = await openTestCatalog({ database, clock, search: await open() });
      for (const name of ['Weather today', 'Exchange rates', 'Cat pictures']) {
        await first.settle({
          url: `https://seller.dev/${name.length}`,
          resource: { serviceName: name },
        });
      }
      await first.catalog.idle();
      await first.stop();
      // The store has it, but the search index never got it.
      const lost = await open();
      await lost.remove('https://seller.dev/14');

      const second = await openTestCatalog({ database, clock, search: await open() });
      await second.catalog.idle();
      for (const [query, name] of [
        ['forecast', 'Weather today'],
        ['rates', 'Exchange rates'],
      ]) {
        const answer = await second.catalog.search({
          query: query ?? '',
          filters: {},
          narrowing: {},
          limit: 5,
          cursor: null,
        });
        assert.ok(answer.kind === 'page');
        assert.equal(answer.hits[0]?.entry.listing.serviceName, name);
        assert.equal(answer.partialResults, false);
      }
      await second.stop();
    });
  });
}
