import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { CATALOG_REASONS } from '../../src/protocol/wire/index.ts';
import { type CatalogBounds, DEFAULT_BOUNDS } from '../../src/server/catalog/bounds.ts';
import { createIngest, type Ingest } from '../../src/server/catalog/ingest.ts';
import { createObserved, type Observed } from '../../src/server/catalog/observed.ts';
import { DamagedRows } from '../../src/server/catalog/records/damagedRows.ts';
import { confirmOrigin } from '../../src/server/catalog/records/origins.ts';
import { readSlice } from '../../src/server/catalog/records/readEntries.ts';
import { silentLogger } from '../../src/server/logger.ts';
import type { Database } from '../../src/server/store/index.ts';
import { type Engine, enginesWithoutFiles } from '../store/engines.ts';
import { type CatalogPaymentParts, catalogPayment, hashOf } from '../support/catalogPayment.ts';
import { testKey } from '../support/payer.ts';
import { type TestClock, testClock } from '../support/testClock.ts';

const SELLER = testKey('seller').address;
const HOSTILE = testKey('hostile').address;
const URL_A = 'https://api.seller.dev/quote';
const DAY_MS = 86_400_000;

interface Fixture {
  readonly database: Database;
  readonly clock: TestClock;
  readonly observed: Observed;
  readonly ingest: Ingest;
}

async function openOn(engine: Engine, bounds: Partial<CatalogBounds> = {}): Promise<Fixture> {
  const { database } = await engine.open();
  const clock = testClock();
  const observed = createObserved();
  const ingest = createIngest({
    database,
    clock,
    logger: silentLogger,
    bounds: { ...DEFAULT_BOUNDS, ...bounds },
    onCataloged: (key, { counted }) => {
      if (counted) observed.add(key);
    },
  });
  return { database, clock, observed, ingest };
}

for (const engine of enginesWithoutFiles()) {
  describe(`The catalog lists paid resources: ${engine.name}`, {
    skip: engine.missing ?? false,
  }, () => {
    let at: Fixture;
    const opened: Database[] = [];
    const open = async (bounds: Partial<CatalogBounds> = {}): Promise<Fixture> => {
      const fixture = await openOn(engine, bounds);
      opened.push(fixture.database);
      return fixture;
    };
    before(() => engine.begin());
    after(() => engine.end());
    beforeEach(async () => {
      at = await open();
    });
    afterEach(async () => {
      for (const database of opened.splice(0)) await database.close();
    });

    /** Settles, and returns what the header would say: `cataloged` or the reason. */
    async function settle(parts: CatalogPaymentParts = {}, on = at): Promise<string> {
      const answer = await on.ingest.take(catalogPayment(parts));
      return answer.status === 'rejected' ? answer.reason : 'cataloged';
    }
    const entries = (on = at) =>
      readSlice(
        { ...on, damaged: new DamagedRows(silentLogger), now: on.clock.now },
        {},
        { limit: 100, offset: 0, order: 'oldest' },
      );
    async function only(on = at) {
      const [entry, ...more] = await entries(on);
      assert.ok(entry);
      assert.equal(more.length, 0);
      return entry;
    }

    describe('the first settled payTo owns the URL', () => {
      it('lists what a token of its own code reported, and counts only what the ledger itself moved', async () => {
        const counts = async () => {
          const { trust, accepts } = await only();
          const { settlements, uniquePayers, observedSettlements } = trust;
          return [settlements, uniquePayers, observedSettlements, accepts.length];
        };
        for (const payer of ['one', 'two', 'three']) {
          assert.equal(await settle({ payer, isProved: false }), 'cataloged');
          assert.deepEqual(await counts(), [0, 0, 0, 1]);
        }
        assert.equal(await settle({ payer: 'one' }), 'cataloged');
        assert.deepEqual(await counts(), [1, 1, 1, 1]);
      });

      it('[spec: Catalog ownership binding/Unbound to bound] a first payment binds it and lists it', async () => {
        assert.equal(await settle({ resource: { serviceName: 'Quotes' } }), 'cataloged');
        const entry = await only();
        assert.equal(entry.listing.resource, URL_A);
        assert.equal(entry.listing.serviceName, 'Quotes');
        assert.equal(entry.payTo, SELLER);
        assert.deepEqual(entry.accepts, [
          {
            scheme: 'exact',
            network: 'stellar:testnet',
            asset: entry.accepts[0]?.asset,
            amount: '100000',
            payTo: SELLER,
            maxTimeoutSeconds: 60,
            extra: { areFeesSponsored: true },
          },
        ]);
      });

      it('[spec: Catalog ownership binding/Same payTo] [spec: Catalog entry/Same payTo] later payments to it update the entry and keep its counts', async () => {
        await settle({ resource: { serviceName: 'Quotes' }, payer: 'a' });
        await settle({ resource: { serviceName: 'Better quotes' }, payer: 'b', amount: '200000' });
        const { listing, trust, accepts } = await only();
        assert.equal(listing.serviceName, 'Better quotes');
        assert.equal(accepts[0]?.amount, '200000');
        assert.equal(trust.settlements, 2);
      });

      it('[spec: Catalog ownership binding/Different payTo] [spec: Catalog entry/Same payTo] another payTo changes nothing: not the entry, not its trust stats', async () => {
        await settle({ resource: { serviceName: 'Quotes' }, payer: 'a' });
        const before = await only();
        at.clock.advance(60_000);
        for (const url of [
          URL_A,
          `${URL_A}/`,
          'HTTPS://API.SELLER.DEV:443/./quote?x#y',
          'https://api.seller.dev/%71uote',
        ]) {
          assert.equal(
            await settle({ url, payTo: HOSTILE, payer: 'b', resource: { serviceName: 'Mine' } }),
            'binding_refused',
          );
        }
        assert.deepEqual(await only(), before);
      });

      it('of concurrent settlements of two payTos for a new URL exactly one binds it', async () => {
        for (let round = 0; round < 20; round++) {
          const url = `https://api.seller.dev/round/${round}`;
          const answers = await Promise.all(
            Array.from({ length: 10 }, (_, n) =>
              settle({ url, payTo: n % 2 === 0 ? SELLER : HOSTILE }),
            ),
          );
          const bound = answers.filter((answer) => answer === 'cataloged').length;
          assert.equal(bound, 5);
          assert.equal(answers.filter((answer) => answer === 'binding_refused').length, 5);
        }
      });
    });

    it('a settlement that moved nothing neither lists a resource nor counts for one', async () => {
      assert.equal(await settle({ moved: 0n }), 'binding_refused');
      assert.deepEqual(await entries(), []);
      await settle();
      await settle({ moved: 0n, payer: 'b' });
      const { trust } = await only();
      assert.deepEqual([trust.settlements, trust.uniquePayers], [1, 1]);
    });

    describe('[spec: Catalog entry/trust counts] the trust counts', () => {
      it('settlements, uniquePayers and lastSettledAt follow settled payments', async () => {
        await settle({ payer: 'a' });
        await settle({ payer: 'b' });
        at.clock.advance(90_000);
        await settle({ payer: 'a' });
        const { trust } = await only();
        assert.deepEqual(trust, {
          settlements: 3,
          uniquePayers: 2,
          observedSettlements: 3,
          statsSource: 'observed',
          ownerVerified: false,
          verification: 'unknown',
          acceptsVerification: 'unknown',
          lastSettledAt: new Date(at.clock.now()).toISOString(),
        });
      });

      it('settlements that another process saw are persisted, not observed', async () => {
        await settle({ payer: 'a' });
        const restarted = { ...at, observed: createObserved() };
        const { trust } = await only(restarted);
        assert.equal(trust.settlements, 1);
        assert.equal(trust.observedSettlements, 0);
        assert.equal(trust.statsSource, 'persisted');
      });

      it('a settlement that is reported twice, after a crash or at once, counts once and gets the same answer', async () => {
        const hash = hashOf('told twice');
        const answers = await Promise.all([settle({ hash }), settle({ hash }), settle({ hash })]);
        assert.deepEqual(answers, ['cataloged', 'cataloged', 'cataloged']);
        const { trust } = await only();
        assert.equal(trust.settlements, 1);
        assert.equal(trust.observedSettlements, 1);
        const refused = hashOf('refused twice');
        for (let time = 0; time < 2; time++) {
          assert.equal(await settle({ hash: refused, payTo: HOSTILE }), 'binding_refused');
        }
      });
    });

    it('a settlement’s outcome is kept for 30 days, counts and payers for good', async () => {
      const remembered = async () => {
        const [row] = await at.database.all<{ count: number }>(
          'SELECT COUNT(*) AS count FROM catalog_settlements',
        );
        return row?.count;
      };
      for (let one = 0; one < 3; one++) await settle({ hash: hashOf(`early ${one}`) });
      at.clock.advance(30 * DAY_MS);
      await settle({ hash: hashOf('in time') });
      assert.equal(await remembered(), 4);
      at.clock.advance(600_001);
      await settle({ hash: hashOf('late') });
      assert.equal(await remembered(), 2);
      const { trust } = await only();
      assert.deepEqual([trust.settlements, trust.uniquePayers], [5, 1]);
    });

    describe('each refusal has its own condition', () => {
      const produced: string[] = [];
      const PRODUCED_BY: Readonly<Record<string, () => Promise<string>>> = {
        cataloging_error: async () => settle({}, await open({ entries: 0 })),
        no_discovery_extension: () => settle({ extensions: null }),
        invalid_payto: () =>
          settle({
            payTo: 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK',
          }),
        schema_validation_failed: () => settle({ bazaar: { routeTemplate: '/../admin' } }),
        invalid_tool_name: () => settle({ tool: 'not a tool' }),
        binding_refused: async () => {
          await settle();
          return settle({ payTo: HOSTILE });
        },
        ownership_tombstone_mismatch: async () => {
          const small = await open({ entriesPerSeller: 1 });
          await settle({ url: URL_A }, small);
          await settle({ url: 'https://api.seller.dev/other' }, small);
          return settle({ url: URL_A, payTo: HOSTILE }, small);
        },
        unbound_payto: async () => {
          await settle({ url: 'https://api.seller.dev/weather/Lima' });
          return settle({
            url: 'https://api.seller.dev/weather/Quito',
            bazaar: { routeTemplate: '/weather/:city' },
            payTo: HOSTILE,
          });
        },
      };
      for (const [reason, produce] of Object.entries(PRODUCED_BY)) {
        it(reason, async () => {
          assert.equal(await produce(), reason);
          produced.push(reason);
        });
      }

      it('[spec: Catalog reasons/cataloging_error] if the store refuses writes, nothing changes, and due settlements stay due', async () => {
        await at.database.run('DROP TABLE catalog_payers');
        await assert.rejects(settle(), { name: 'StoreError' });
        assert.deepEqual(await entries(), []);
        const [row] = await at.database.all<{ count: number }>(
          'SELECT COUNT(*) AS count FROM catalog_settlements',
        );
        assert.equal(row?.count, 0);
      });

      it('[spec: Catalog reasons/binding_refused] [spec: Catalog reasons/cataloging_error] all eight reasons have been produced', () => {
        assert.deepEqual([...produced].sort(), [...CATALOG_REASONS].sort());
      });
    });

    describe('[spec: Catalog reasons/unbound_payto] trust on first use does not apply where another seller already is', () => {
      const template = {
        bazaar: { routeTemplate: '/weather/:city' },
        url: 'https://api.seller.dev/weather/Lima',
      };

      it('below an unverified template: it binds only its own URL', async () => {
        for (const routeTemplate of ['/:a', '/:a/:b', '/:a/:b/:c']) {
          const depth = routeTemplate.split('/').length - 1;
          const url = `https://api.seller.dev/${Array.from({ length: depth }, () => 'x').join('/')}`;
          assert.equal(
            await settle({ url, bazaar: { routeTemplate }, payTo: HOSTILE }),
            'cataloged',
          );
        }
        for (const path of ['quote', 'weather/Lima', 'v1/weather/Lima']) {
          const url = `https://api.seller.dev/${path}`;
          assert.equal(await settle({ url }), 'cataloged', url);
        }
      });

      it("below a template of an origin's verified recipient: nobody adds a made-up path", async () => {
        await settle(template);
        await confirmOrigin(at.database, 'https://api.seller.dev', SELLER, at.clock.now());
        for (const url of [
          'https://api.seller.dev/weather/x',
          'https://api.seller.dev/WEATHER/y',
          'https://api.seller.dev/weather/%20',
        ]) {
          assert.equal(await settle({ url, payTo: HOSTILE }), 'unbound_payto', url);
        }
        assert.equal(
          await settle({ url: 'https://api.seller.dev/news/x', payTo: HOSTILE }),
          'unbound_payto',
        );
        assert.equal(
          await settle({ url: 'https://other.seller.dev/weather/x', payTo: HOSTILE }),
          'cataloged',
        );
      });

      it('across another’s URLs: no template includes them', async () => {
        await settle({ url: 'https://api.seller.dev/weather/Lima' });
        assert.equal(
          await settle({
            ...template,
            url: 'https://api.seller.dev/weather/Quito',
            payTo: HOSTILE,
          }),
          'unbound_payto',
        );
        const wide = {
          url: 'https://api.seller.dev/x/y',
          bazaar: { routeTemplate: '/:a/:b' },
          payTo: HOSTILE,
        };
        assert.equal(await settle(wide), 'unbound_payto');
      });

      it('a parameter by another name is the same key', async () => {
        await settle(template);
        assert.equal(
          await settle({
            ...template,
            bazaar: { routeTemplate: '/weather/:town' },
            payTo: HOSTILE,
          }),
          'binding_refused',
        );
      });

      it('mcp://tool/<name> names no server: each recipient has its own tools there', async () => {
        const tool = { url: 'mcp://tool/get_weather', tool: 'get_weather' };
        assert.equal(await settle({ ...tool, payTo: HOSTILE }), 'cataloged');
        assert.equal(await settle(tool), 'cataloged');
        assert.equal(await settle(tool), 'cataloged');
        const listed = await entries();
        assert.deepEqual(
          listed.map(({ payTo, trust }) => [payTo, trust.settlements]),
          [
            [HOSTILE, 1],
            [SELLER, 2],
          ],
        );
      });

      it("beside the tools of another's server", async () => {
        const url = 'https://mcp.seller.dev/mcp';
        assert.equal(await settle({ url, tool: 'a' }), 'cataloged');
        assert.equal(await settle({ url, tool: 'b', payTo: HOSTILE }), 'unbound_payto');
        assert.equal(await settle({ url, payTo: HOSTILE }), 'unbound_payto');
        assert.equal(await settle({ url, tool: 'b' }), 'cataloged');
        assert.equal((await entries()).length, 2);
      });

      it('a seller can have templates and URLs that overlap each other', async () => {
        assert.equal(await settle({ url: 'https://api.seller.dev/weather/Lima' }), 'cataloged');
        assert.equal(
          await settle({ ...template, url: 'https://api.seller.dev/weather/Quito' }),
          'cataloged',
        );
        assert.equal((await entries()).length, 2);
      });
    });

    describe('Limits, and removals that cannot be used against others', () => {
      const many = async (on: Fixture, payTo: string, count: number, from = 0) => {
        for (let n = from; n < from + count; n++) {
          await settle({ url: `https://${payTo.slice(-6).toLowerCase()}.dev/${n}`, payTo }, on);
        }
      };

      it("beyond a seller's limit its own least trusted entry is removed, never another's", async () => {
        const small = await open({ entriesPerSeller: 3 });
        await settle({ url: URL_A }, small);
        await many(small, HOSTILE, 20);
        const listed = await entries(small);
        assert.equal(listed.filter(({ payTo }) => payTo === HOSTILE).length, 3);
        assert.ok(listed.some(({ listing }) => listing.resource === URL_A));
      });

      it('beyond the limit on bytes as well', async () => {
        const small = await open({ bytesPerSeller: 5_000 });
        const resource = { description: 'x'.repeat(250) };
        for (let n = 0; n < 30; n++)
          await settle({ url: `https://api.seller.dev/${n}`, resource }, small);
        const [row] = await small.database.all<{ entries: number; bytes: number }>(
          'SELECT entries, bytes FROM catalog_sellers',
        );
        assert.ok(row && row.bytes <= 5_000 && row.entries > 3, JSON.stringify(row));
        assert.equal((await entries(small)).length, row.entries);
      });

      it('a full catalog refuses new entries rather than removing one in use', async () => {
        const small = await open({ entries: 3 });
        await settle({ url: URL_A }, small);
        await many(small, HOSTILE, 2);
        assert.equal(
          await settle({ url: 'https://new.dev/', payTo: testKey('new').address }, small),
          'cataloging_error',
        );
        assert.equal(small.ingest.full, true);
        assert.equal((await entries(small)).length, 3);
        assert.equal(await settle({ url: URL_A }, small), 'cataloged');
      });

      it('and first removes entries that nobody has paid for in a long time', async () => {
        const small = await open({ entries: 3 });
        await many(small, HOSTILE, 2);
        small.clock.advance(91 * DAY_MS);
        await settle({ url: URL_A }, small);
        const newcomer = { url: 'https://new.dev/', payTo: testKey('new').address };
        assert.equal(await settle(newcomer, small), 'cataloged');
        const listed = (await entries(small)).map(({ listing }) => listing.resource);
        assert.equal(listed.length, 3);
        assert.ok(listed.includes(URL_A));
        assert.equal(small.ingest.full, false);
      });

      it('[spec: Catalog reasons/ownership_tombstone_mismatch] a delisted entry stays bound, and returns with its counts', async () => {
        const small = await open({ entriesPerSeller: 1 });
        await settle({ url: URL_A, payer: 'a' }, small);
        await settle({ url: 'https://api.seller.dev/other' }, small);
        assert.equal(
          await settle({ url: URL_A, payTo: HOSTILE }, small),
          'ownership_tombstone_mismatch',
        );
        assert.equal(await settle({ url: URL_A, payer: 'a' }, small), 'cataloged');
        const { listing, trust } = await only(small);
        assert.equal(listing.resource, URL_A);
        assert.deepEqual([trust.settlements, trust.uniquePayers], [2, 1]);
      });

      it('tombstones are limited per seller: its own oldest ones are deleted', async () => {
        const small = await open({ entriesPerSeller: 1, tombstonesPerSeller: 5 });
        await many(small, SELLER, 20);
        const [row] = await small.database.all<{ count: number }>(
          'SELECT COUNT(*) AS count FROM catalog_entries WHERE listed = 0',
        );
        assert.equal(row?.count, 5);
      });

      it('an entry keeps at most ten options, the latest', async () => {
        for (let n = 0; n < 15; n++) {
          at.clock.advance(1_000);
          await settle({ asset: `asset ${n}`, amount: `${n}` });
        }
        const { accepts } = await only();
        assert.deepEqual(
          accepts.map(({ amount }) => amount).sort((a, b) => Number(a) - Number(b)),
          ['5', '6', '7', '8', '9', '10', '11', '12', '13', '14'],
        );
      });
    });
  });
}
