import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openTestCatalog, type TestCatalog } from '../support/catalog.ts';
import { openPglite } from '../support/pgliteDatabase.ts';
import { testClock } from '../support/testClock.ts';

const DAY_MS = 86_400_000;
const BEGIN = Date.UTC(2026, 8, 1, 12);

interface Page {
  readonly items: readonly { readonly quality?: Readonly<Record<string, unknown>> }[];
}

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  describe(`Entries say how they were used in the last 30 days: ${engine}`, () => {
    let at: TestCatalog;
    const clock = testClock(BEGIN);
    beforeEach(async () => {
      at = await openTestCatalog({
        clock,
        ...(engine === 'SQLite' ? {} : { database: await openPglite({ pgvector: false }) }),
      });
    });
    afterEach(() => at.close());

    const quality = async () => (await at.get<Page>('/discovery/resources')).body.items[0]?.quality;

    it('settlements, their different payers, and the last one, under other catalogs’ names', async () => {
      for (const payer of ['a', 'b', 'a']) await at.settle({ payer });
      const now = new Date(clock.now()).toISOString();
      assert.deepEqual(await quality(), {
        l30DaysTotalCalls: 3,
        l30DaysUniquePayers: 2,
        lastCalledAt: now,
      });
      const found = await at.get<{ resources: Page['items'] }>('/discovery/search?query=quote');
      assert.equal(found.body.resources[0]?.quality?.['l30DaysTotalCalls'], 3);
    });

    it('a payer of several days counts once, and nobody counts after 30 days', async () => {
      await at.settle({ payer: 'a' });
      await at.settle({ payer: 'b' });
      clock.advance(10 * DAY_MS);
      await at.settle({ payer: 'a' });
      const last = new Date(clock.now()).toISOString();
      assert.deepEqual(await quality(), {
        l30DaysTotalCalls: 3,
        l30DaysUniquePayers: 2,
        lastCalledAt: last,
      });
      clock.advance(20 * DAY_MS);
      assert.deepEqual(await quality(), {
        l30DaysTotalCalls: 1,
        l30DaysUniquePayers: 1,
        lastCalledAt: last,
      });
      clock.advance(10 * DAY_MS);
      assert.deepEqual(await quality(), {
        l30DaysTotalCalls: 0,
        l30DaysUniquePayers: 0,
        lastCalledAt: last,
      });
    });

    it('a payment to oneself and one of zero do not count', async () => {
      await at.settle({ payer: 'a' });
      const before = await quality();
      await at.settle({ payer: 'seller' });
      await at.settle({ payer: 'b', moved: 0n });
      assert.deepEqual(await quality(), before);
    });

    it('an entry from before these counts has only certain values', async () => {
      await at.settle({ payer: 'a' });
      const settled = clock.now();
      await at.database.run('DELETE FROM catalog_calls');
      await at.database.run('UPDATE catalog_payers SET day = NULL');
      await at.database.run('UPDATE catalog_entries SET calls_since = settled_at + 1');
      assert.deepEqual(await quality(), { lastCalledAt: new Date(settled).toISOString() });
      clock.advance(DAY_MS);
      await at.settle({ payer: 'a' });
      assert.deepEqual(await quality(), { lastCalledAt: new Date(clock.now()).toISOString() });
      clock.advance(30 * DAY_MS);
      await at.settle({ payer: 'b' });
      assert.deepEqual(await quality(), {
        l30DaysTotalCalls: 1,
        l30DaysUniquePayers: 1,
        lastCalledAt: new Date(clock.now()).toISOString(),
      });
    });
  });
}
