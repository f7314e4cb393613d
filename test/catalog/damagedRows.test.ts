import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Logger } from '../../src/server/logger.ts';
import { silentLogger } from '../../src/server/logger.ts';
import { createCatalogSearch } from '../../src/server/search/index.ts';
import { openTestCatalog, type TestCatalog } from '../support/catalog.ts';
import { localEmbedding } from '../support/localEmbedding.ts';
import { openPglite } from '../support/pgliteDatabase.ts';
import { testClock } from '../support/testClock.ts';

const GOOD = 'https://good.dev/quote';
const BAD = 'https://bad.dev/quote';

/** Each way to damage the row of `BAD`. */
const DAMAGES: readonly (readonly [name: string, sql: string])[] = [
  ['a document that is not JSON', "UPDATE catalog_entries SET document = '{' WHERE"],
  ['a document that is another value', "UPDATE catalog_entries SET document = '[]' WHERE"],
  ['a document without its members', "UPDATE catalog_entries SET document = '{}' WHERE"],
  [
    "another entry's document",
    `UPDATE catalog_entries SET document =
       (SELECT o.document FROM catalog_entries o WHERE o.url_key LIKE '%good.dev%') WHERE`,
  ],
  ['a time that no calendar has', 'UPDATE catalog_entries SET settled_at = 9000000000000000 WHERE'],
  ['an owner state that nobody writes', "UPDATE catalog_entries SET owner_state = 'x' WHERE"],
  ['an option that is not JSON', "UPDATE catalog_options SET document = '{' WHERE"],
  ['an option without its members', "UPDATE catalog_options SET document = '{}' WHERE"],
];

interface Row {
  readonly document: string;
  readonly settled_at: number;
  readonly owner_state: string;
}

interface Warned {
  readonly key?: string;
  readonly message: string | undefined;
}

function listeningLogger(warned: Warned[]): Logger {
  const note = (fields: object, message?: string) => void warned.push({ ...fields, message });
  return { ...silentLogger, warn: note as Logger['warn'], error: note as Logger['error'] };
}

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  describe(`A damaged row is skipped and named, and the others are served: ${engine}`, () => {
    let at: TestCatalog;
    let warned: Warned[];
    beforeEach(async () => {
      warned = [];
      at = await openTestCatalog({
        logger: listeningLogger(warned),
        ...(engine === 'SQLite' ? {} : { database: await openPglite({ pgvector: false }) }),
      });
      assert.equal(await at.settle({ url: BAD, resource: { description: 'Quotes' } }), 'cataloged');
      assert.equal(
        await at.settle({ url: GOOD, resource: { description: 'Quotes' } }),
        'cataloged',
      );
      await at.catalog.idle();
    });
    afterEach(() => at.close());

    it('in every list, search and page, whatever is damaged', async () => {
      const entries = await at.database.all<Row>(
        "SELECT document, settled_at, owner_state FROM catalog_entries WHERE key LIKE '%bad.dev%'",
      );
      const options = await at.database.all<{ document: string }>(
        "SELECT document FROM catalog_options WHERE key LIKE '%bad.dev%'",
      );
      const [entry, option] = [entries[0], options[0]];
      assert.ok(entry && option);
      for (const [name, sql] of DAMAGES) {
        assert.equal(await at.database.run(`${sql} key LIKE '%bad.dev%'`), 1, name);
        const only = (all: readonly { resource: string }[]) => all.map(({ resource }) => resource);
        const list = await at.get<{ items: { resource: string }[] }>('/discovery/resources');
        assert.equal(list.status, 200, name);
        assert.deepEqual(only(list.body.items), [GOOD], name);
        const found = await at.get<{ resources: { resource: string }[] }>(
          '/discovery/search?query=quotes',
        );
        assert.equal(found.status, 200, name);
        assert.deepEqual(only(found.body.resources), [GOOD], name);
        for (const path of [
          '/discovery/feed.json',
          '/discovery/openapi.json',
          '/discovery/facets',
          '/.well-known/x402',
        ]) {
          assert.equal((await at.get(path)).status, 200, `${name}: ${path}`);
        }
        const { damagedRows } = at.catalog.status();
        assert.equal(damagedRows.length, 1, name);
        assert.match(damagedRows[0] ?? '', /bad\.dev/);
        const lines = warned.filter(({ key }) => key?.includes('bad.dev'));
        assert.equal(lines.length, 1, `${name}: one line for each damaged row`);
        await at.database.run(
          `UPDATE catalog_entries SET document = ?, settled_at = ?, owner_state = ?
           WHERE key LIKE '%bad.dev%'`,
          [entry.document, entry.settled_at, entry.owner_state],
        );
        await at.database.run(
          "UPDATE catalog_options SET document = ? WHERE key LIKE '%bad.dev%'",
          [option.document],
        );
        const again = await at.get<{ items: unknown[] }>('/discovery/resources');
        assert.equal(again.body.items.length, 2, `${name}: a repaired row is listed again`);
        assert.deepEqual(at.catalog.status().damagedRows, [], `${name}: and no longer named`);
        warned.length = 0;
      }
    });

    it('after a restart the search has the others', async () => {
      await at.database.run("UPDATE catalog_entries SET document = '{' WHERE key LIKE '%bad.dev%'");
      const next = await at.restart();
      at = next;
      await next.catalog.idle();
      assert.equal(next.catalog.status().search.documents, 1);
      const found = await next.get<{ resources: unknown[]; partialResults: boolean }>(
        '/discovery/search?query=quotes',
      );
      assert.equal(found.body.resources.length, 1);
      assert.equal(found.body.partialResults, false);
    });

    it('an ownership check of a damaged row does not end the others', async () => {
      await at.database.run("UPDATE catalog_entries SET owner_state = 'pending'");
      await at.database.run("UPDATE catalog_entries SET document = '{' WHERE key LIKE '%bad.dev%'");
      const next = await at.restart();
      at = next;
      await next.catalog.idle();
      const [good] = await next.database.all<{ owner_state: string }>(
        "SELECT owner_state FROM catalog_entries WHERE key LIKE '%good.dev%'",
      );
      assert.equal(good?.owner_state, 'unverifiable');
    });

    it('facets leave out an asset whose prices are damaged', async () => {
      await at.database.run("UPDATE catalog_options SET amount_order = '1e9'");
      const { status, body } = await at.get<{ asset: unknown[]; total: number }>(
        '/discovery/facets',
      );
      assert.equal(status, 200);
      assert.deepEqual([body.total, body.asset], [2, []]);
    });
  });
}

describe('Many damaged rows in a row do not end the filling of the search', () => {
  it('the entries after them are found after a restart', async () => {
    const clock = testClock(Date.UTC(2026, 10, 21));
    const at = await openTestCatalog({ clock });
    for (let n = 0; n < 3; n += 1) await at.settle({ url: `https://a.dev/${n}` });
    await at.catalog.idle();
    // The steps in which the search is filled are of 500 rows.
    await at.database.run(
      `INSERT INTO catalog_entries (key, sequence, url_key, origin, depth, templated, pay_to, listed, type,
         extension_names, document, bytes, settlements, unique_payers, created_at, updated_at,
         settled_at, owner_state, owner_words)
       WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 600)
       SELECT 'damaged ' || n, 100 + n, 'x', 'x', 1, 0, 'G', 1, 'http', '||', '{', 1, 1, 1, 1, 1, 1,
         'unverifiable', 0 FROM many`,
    );
    await at.database.run(
      "UPDATE catalog_entries SET sequence = 1000 WHERE url_key LIKE '%a.dev/2'",
    );
    const search = createCatalogSearch({ clock, logger: silentLogger, provider: localEmbedding() });
    await at.stop();
    const next = await openTestCatalog({ database: at.database, clock, search });
    await next.catalog.idle();
    assert.equal(next.catalog.status().search.documents, 3);
    await next.close();
  });
});
