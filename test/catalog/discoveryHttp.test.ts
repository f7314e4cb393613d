import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type DiscoveryList,
  type DiscoverySearch,
  discoveryListSchema,
  discoverySearchSchema,
} from '../../src/protocol/wire/index.ts';
import { DEFAULT_BOUNDS } from '../../src/server/catalog/index.ts';
import { enginesWithoutFiles } from '../store/engines.ts';
import { openTestCatalog, type TestCatalog } from '../support/catalog.ts';
import { testKey } from '../support/payer.ts';
import { OTHER_ASSET, USDC } from '../support/payment.ts';

const SELLER = testKey('seller').address;
const OTHER = testKey('other seller').address;
const urlsOf = (list: DiscoveryList): string[] => list.items.map(({ resource }) => resource);

for (const engine of enginesWithoutFiles()) {
  describe(`The discovery endpoints over ${engine.name}`, { skip: engine.missing ?? false }, () => {
    let at: TestCatalog;
    before(async () => {
      await engine.begin();
      at = await openTestCatalog({ database: (await engine.open()).database });
      for (let n = 0; n < 130; n++) {
        await at.settle({
          url: `https://api.seller.dev/weather/${n}`,
          amount: `${n * 1_000}`,
          resource: { serviceName: `Weather ${n}`, description: `Forecast for city ${n}` },
        });
      }
      await at.settle({
        url: 'https://mcp.other.dev/mcp',
        tool: 'translate',
        payTo: OTHER,
        asset: OTHER_ASSET,
        extensions: { 'sign-in-with-x': {} },
      });
      await at.catalog.idle();
    });
    after(async () => {
      await at.close();
      await engine.end();
    });

    const list = async (query: string): Promise<DiscoveryList> => {
      const { status, body } = await at.get<DiscoveryList>(`/discovery/resources?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      // Responses have what the schema says, and nothing else.
      assert.deepEqual(discoveryListSchema.parse(body), body);
      return body;
    };
    const search = async (query: string): Promise<DiscoverySearch> => {
      const { status, body } = await at.get<DiscoverySearch>(`/discovery/search?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(discoverySearchSchema.parse(body), body);
      return body;
    };
    const refused = async (path: string): Promise<unknown[]> => {
      const { status, body } = await at.get(path);
      assert.equal(typeof body['error'], 'string');
      assert.equal(typeof body['message'], 'string');
      return [status, body['error'], body['reason']];
    };

    describe('GET /discovery/resources', () => {
      it('[spec: GET /discovery/resources/Response] [spec: GET /discovery/resources/Page] [spec: Versioning/x402Version] answers x402Version, items and pagination; 20 from the start by default', async () => {
        const body = await list('');
        assert.equal(body.x402Version, 2);
        assert.equal(body.items.length, 20);
        assert.deepEqual(body.pagination, { limit: 20, offset: 0, total: 131 });
        assert.equal('unappliedFilters' in body, false);
      });

      it('[spec: Catalog entry/accepts] [spec: Catalog entry/trust] [spec: Catalog entry/verification] an entry has resource, accepts, trust, and what the canonical client reads', async () => {
        const [entry] = (await list('limit=1')).items;
        assert.ok(entry);
        const { trust, lastUpdated, accepts, ...rest } = entry;
        assert.deepEqual(Object.keys(rest).sort(), [
          'description',
          'extensions',
          'method',
          'quality',
          'resource',
          'serviceName',
          'type',
          'x402Version',
        ]);
        assert.equal(lastUpdated, new Date(at.clock.now()).toISOString());
        assert.equal(trust.verification, 'unknown');
        assert.equal(trust.acceptsVerification, 'unknown');
        assert.equal(trust.ownerVerified, false);
        assert.equal(accepts[0]?.payTo, SELLER);
      });

      it('an entry of an MCP tool has discoveryInfo as upstream facilitators list it, and a route has none', async () => {
        const [tool] = (await list('type=mcp')).items;
        const bazaar: unknown = tool?.extensions['bazaar'];
        assert.ok(typeof bazaar === 'object' && bazaar !== null && 'info' in bazaar);
        assert.deepEqual(tool?.discoveryInfo, bazaar.info);
        const input: unknown = tool?.discoveryInfo?.['input'];
        assert.ok(typeof input === 'object' && input !== null);
        assert.deepEqual(
          [Reflect.get(input, 'type'), Reflect.get(input, 'toolName')],
          ['mcp', 'translate'],
        );
        const found = (await search('query=translate&type=mcp')).resources[0];
        assert.deepEqual(found?.discoveryInfo, tool?.discoveryInfo);
        const [route] = (await list('type=http&limit=1')).items;
        assert.equal(route?.discoveryInfo, undefined);
      });

      it('[spec: Limits/List page size] [spec: GET /discovery/resources/Page] limit to 100, offset to the end, pages without gaps or repeats', async () => {
        const seen: string[] = [];
        for (let offset = 0; offset < 131; offset += 50) {
          const page = await list(`limit=50&offset=${offset}`);
          assert.equal(page.pagination.total, 131);
          seen.push(...page.items.map(({ resource, toolName }) => `${resource} ${toolName ?? ''}`));
        }
        assert.equal(new Set(seen).size, 131);
        assert.equal(seen.length, 131);
        assert.equal((await list('limit=100')).items.length, 100);
        const clamped = await list('limit=1000');
        assert.deepEqual([clamped.items.length, clamped.pagination.limit], [100, 100]);
        assert.deepEqual((await list('offset=1000000')).items, []);
      });

      it('[spec: GET /discovery/resources/Filters] filters by type, payTo, scheme, network, extensions and asset', async () => {
        const total = async (query: string) => (await list(query)).pagination.total;
        assert.equal(await total('type=mcp'), 1);
        assert.equal(await total('type=http'), 130);
        assert.equal(await total(`payTo=${OTHER}`), 1);
        assert.equal(await total(`payTo=${OTHER.toLowerCase()}`), 1);
        assert.equal(await total('payTo=nobody'), 0);
        assert.equal(await total('scheme=exact'), 131);
        assert.equal(await total('scheme=upto'), 0);
        assert.equal(await total('network=stellar:testnet'), 131);
        assert.equal(await total('network=!!!'), 0);
        assert.equal(await total('extensions=bazaar'), 131);
        assert.equal(await total('extensions=sign-in-with-x'), 1);
        assert.equal(await total('extensions=sign_in-with-x'), 0);
        assert.equal(await total('extensions=%25'), 0);
        assert.equal(await total(`asset=${OTHER_ASSET}`), 1);
        assert.equal(await total(`asset=${USDC}&payTo=${SELLER}&type=http`), 130);
        assert.equal(await total(`asset=${OTHER_ASSET}&type=http`), 0);
      });

      it('filters by part of the URL, by settlements and by verified owners', async () => {
        const total = async (query: string) => (await list(query)).pagination.total;
        assert.equal(await total('urlSubstring=/WEATHER/129'), 1);
        assert.equal(await total('urlSubstring=%25'), 0, 'no wildcards');
        assert.equal(await total('minSettlements=1'), 131);
        assert.equal(await total('minSettlements=2'), 0);
        assert.equal(await total('ownerVerified=true'), 0);
        assert.equal(await total('ownerVerified=false'), 131);
        assert.deepEqual(await refused('/discovery/resources?ownerVerified=perhaps'), [
          400,
          'invalid_parameter',
          'invalid_parameter',
        ]);
      });

      it('accepts x402 version 1 network names, and several extensions', async () => {
        const total = async (query: string) => (await list(query)).pagination.total;
        assert.equal(
          await total('network=stellar-testnet'),
          await total('network=stellar:testnet'),
        );
        assert.equal(await total('extensions=bazaar&extensions=sign-in-with-x'), 1);
        assert.equal(await total('extensions=sign-in-with-x&extensions=nothing'), 0);
        const found = await search('query=forecast&extensions=bazaar&extensions=nothing');
        assert.deepEqual(found.resources, []);
      });

      it('filters by a range of prices, both ends included, as numbers and not as text', async () => {
        assert.deepEqual(urlsOf(await list('minAmount=9000&maxAmount=10000')), [
          'https://api.seller.dev/weather/9',
          'https://api.seller.dev/weather/10',
        ]);
        assert.equal((await list('minAmount=100001')).pagination.total, 29);
        assert.equal((await list(`maxAmount=0&asset=${USDC}`)).pagination.total, 1);
      });

      it('unknown parameters are reported, not guessed', async () => {
        const body = await list('limit=1&colour=red&cursor=x&asset=&verified_only=false');
        assert.deepEqual(body.unappliedFilters, ['colour', 'cursor']);
        assert.equal(body.pagination.total, 131);
      });

      it('[spec: GET /discovery/resources/verified_only] [spec: Facilitator codes/verified_only_unavailable] verified_only=true is always answered 400', async () => {
        for (const path of [
          '/discovery/resources?verified_only=true',
          '/discovery/search?query=x&verified_only=true',
          '/discovery/resources?verified_only=1',
        ]) {
          assert.deepEqual(await refused(path), [
            400,
            'verified_only_unavailable',
            'no_verdict_source_configured',
          ]);
        }
      });

      it('[spec: Limits/asset filter] [spec: Limits/List page size] an asset has at most 56 characters, a page 1 to 100 entries', async () => {
        assert.equal((await list(`asset=${'C'.repeat(56)}`)).pagination.total, 0);
        const wrong = [
          `asset=${'C'.repeat(57)}`,
          'limit=0',
          'limit=-1',
          'limit=1.5',
          'limit=x',
          'limit=1e2',
          'offset=-1',
          'offset=x',
          'limit=1&limit=2',
          'type=soap',
          'minAmount=1.5',
          'maxAmount=-1',
          `payTo=${'G'.repeat(300)}`,
        ];
        for (const query of wrong) {
          assert.deepEqual(
            await refused(`/discovery/resources?${query}`),
            [400, 'invalid_parameter', 'invalid_parameter'],
            query,
          );
        }
      });

      it('a store that fails is a 503, not a crash', async () => {
        const failing = await openTestCatalog();
        await failing.catalog.idle();
        await failing.database.run('DROP TABLE catalog_options');
        await failing.database.run('DROP TABLE catalog_entries');
        const { status, body } = await failing.get('/discovery/resources?type=http');
        assert.deepEqual([status, body['error']], [503, 'catalog_unavailable']);
        await failing.close();
      });
    });

    describe('GET /discovery/search', () => {
      it('[spec: GET /discovery/search/Response] answers x402Version, resources, partialResults and pagination', async () => {
        const body = await search('query=translate');
        assert.equal(body.x402Version, 2);
        assert.equal(body.resources[0]?.toolName, 'translate');
        assert.equal(typeof body.partialResults, 'boolean');
        assert.equal(body.pagination.limit, 20);
      });

      it('[spec: GET /discovery/search/query] an empty query is answered 400', async () => {
        for (const query of ['', 'query=', 'query=%20%20', 'limit=5']) {
          assert.deepEqual(await refused(`/discovery/search?${query}`), [
            400,
            'empty_query',
            'empty_query',
          ]);
        }
      });

      it('a long task text is truncated and answered, and its cursor is valid', async () => {
        const query = encodeURIComponent(`forecast ${'of the weather in Lisbon '.repeat(400)}`);
        const first = await search(`query=${query}&limit=5`);
        assert.equal(first.resources.length, 5);
        const second = await search(`query=${query}&limit=5&cursor=${first.pagination.cursor}`);
        assert.equal(second.resources.length, 5);
      });

      it('[spec: GET /discovery/search/Cursor] [spec: GET /discovery/search/Null cursor] a cursor leads through all matches; null means that no more follow', async () => {
        const seen: string[] = [];
        let cursor: string | null = '';
        for (let page = 0; cursor !== null && page < 10; page++) {
          const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
          const body: DiscoverySearch = await search(
            `query=forecast&type=http&payTo=${SELLER}&limit=40${more}`,
          );
          seen.push(...body.resources.map(({ resource }) => resource));
          cursor = body.pagination.cursor;
          if (cursor !== null) assert.match(cursor, /^[A-Za-z0-9_-]+$/);
        }
        assert.equal(cursor, null);
        assert.equal(seen.length, 130);
        assert.equal(new Set(seen).size, 130);
      });

      it('[spec: GET /discovery/search/Filters change] a cursor is bound to query and filters: another one’s, or an invalid one, is reported', async () => {
        const { pagination } = await search('query=forecast&limit=5');
        const { cursor } = pagination;
        assert.ok(cursor);
        for (const changed of [
          'query=forecast&type=http',
          `query=forecast&payTo=${SELLER}`,
          'query=weather',
        ]) {
          assert.deepEqual(await refused(`/discovery/search?${changed}&cursor=${cursor}`), [
            400,
            'cursor_filters_changed',
            'cursor_filters_changed',
          ]);
        }
        for (const none of ['x', 'e30', '%00', `${cursor.slice(0, -2)}`]) {
          assert.deepEqual(
            await refused(`/discovery/search?query=forecast&cursor=${none}`),
            [400, 'invalid_cursor', 'invalid_cursor'],
            none,
          );
        }
      });

      it('[spec: GET /discovery/search/Filters] has the filters of the list except offset and asset, which are reported as unapplied', async () => {
        const body = await search(
          `query=forecast&offset=5&asset=${OTHER_ASSET}&minAmount=1&type=http`,
        );
        assert.deepEqual(body.unappliedFilters?.sort(), ['asset', 'minAmount', 'offset']);
        assert.equal(
          (await search(`query=translate&payTo=${SELLER}`)).resources.some(
            ({ toolName }) => toolName,
          ),
          false,
        );
      });

      it('is narrowed by price in USDC, part of the URL, settlements and verified owners, page by page', async () => {
        const all = async (filters: string): Promise<string[]> => {
          const found: string[] = [];
          let cursor: string | null = '';
          while (cursor !== null) {
            const page: DiscoverySearch = await search(
              `query=forecast&limit=7&payTo=${SELLER}&${filters}&cursor=${cursor}`,
            );
            assert.equal(page.partialResults, false);
            assert.equal(page.unappliedFilters, undefined);
            found.push(...page.resources.map(({ resource }) => resource));
            cursor = page.pagination.cursor;
          }
          assert.equal(new Set(found).size, found.length);
          return found;
        };
        // Amounts are n × 1,000 of 10,000,000 atomic units.
        const cheap = await all('maxUsdPrice=0.002');
        assert.deepEqual(
          cheap.sort(),
          Array.from({ length: 21 }, (_, n) => `https://api.seller.dev/weather/${n}`).sort(),
        );
        assert.equal((await all('maxUsdPrice=0.0020999')).length, 21);
        assert.equal((await all('maxUsdPrice=0')).length, 1);
        assert.equal(
          (await all('maxUsdPrice=1000000')).length,
          130,
          'another asset has no price in USD',
        );
        // 12, and 120 to 125.
        assert.equal((await all('urlSubstring=WEATHER/12&maxUsdPrice=0.0125')).length, 7);
        assert.equal((await all('urlSubstring=weather/12')).length, 11);
        assert.equal((await all('minSettlements=2')).length, 0);
        assert.equal((await all('ownerVerified=true')).length, 0);
        assert.equal((await all('ownerVerified=false')).length, 130);
      });

      it('a cursor is not valid for another price, and a price is never guessed', async () => {
        const { pagination } = await search('query=forecast&limit=2&maxUsdPrice=0.002');
        for (const other of ['', '&maxUsdPrice=0.003', '&maxUsdPrice=0.002&ownerVerified=false']) {
          assert.deepEqual(
            await refused(`/discovery/search?query=forecast&cursor=${pagination.cursor}${other}`),
            [400, 'cursor_filters_changed', 'cursor_filters_changed'],
          );
        }
        for (const price of ['-1', '$1', '1e3', '0,5', '0.00000001', 'free']) {
          for (const path of ['search?query=x&', 'resources?']) {
            assert.deepEqual(
              await refused(`/discovery/${path}maxUsdPrice=${encodeURIComponent(price)}`),
              [400, 'invalid_parameter', 'invalid_parameter'],
              price,
            );
          }
        }
        assert.equal((await list('maxUsdPrice=0.002')).pagination.total, 21);
        assert.equal((await list(`maxUsdPrice=1&asset=${OTHER_ASSET}`)).pagination.total, 0);
      });

      it('says whether meanings were compared, and of each resource why it was found', async () => {
        const { searchMethod, resources } = await search('query=forecasts for city 17&limit=1');
        assert.equal(searchMethod, 'hybrid');
        assert.equal(resources[0]?.resource, 'https://api.seller.dev/weather/17');
        const match = resources[0]?.match;
        assert.deepEqual(match?.words, [
          { word: 'forecast', in: ['description'], synonym: false },
          { word: 'city', in: ['description'], synonym: false },
          { word: '17', in: ['name', 'description', 'url'], synonym: false },
        ]);
        assert.ok((match?.nearness ?? 0) > 0.6);
        assert.equal(match?.confidence, 'high');
        const [off] = (await search('query=chess weather engine championship&limit=1')).resources;
        assert.equal(off?.match.confidence, 'low');
      });

      it('[spec: Limits/List page size] [spec: GET /discovery/search/Cursor] limit 1 to 100', async () => {
        assert.equal((await search('query=forecast&limit=1000')).pagination.limit, 100);
        for (const limit of ['0', '-1', 'x']) {
          assert.deepEqual(await refused(`/discovery/search?query=x&limit=${limit}`), [
            400,
            'invalid_parameter',
            'invalid_parameter',
          ]);
        }
      });
    });
  });
}

describe('After a restart', () => {
  it('[spec: Catalog entry/trust counts] entries, bindings and counts are kept, marked as persisted; the search finds them again', async () => {
    const before = await openTestCatalog();
    await before.settle({ resource: { serviceName: 'Quotes of the day' }, payer: 'a' });
    await before.settle({ payer: 'b', resource: { serviceName: 'Quotes of the day' } });
    const at = await before.restart();
    await at.catalog.idle();
    const { body } = await at.get<DiscoverySearch>('/discovery/search?query=quotes');
    const [entry] = body.resources;
    assert.equal(entry?.serviceName, 'Quotes of the day');
    assert.deepEqual(
      [
        entry?.trust.settlements,
        entry?.trust.uniquePayers,
        entry?.trust.observedSettlements,
        entry?.trust.statsSource,
      ],
      [2, 2, 0, 'persisted'],
    );
    assert.equal(await at.settle({ payTo: OTHER }), 'binding_refused');
    await at.settle({ payer: 'c' });
    const listed = await at.get<DiscoveryList>('/discovery/resources');
    const trust = listed.body.items[0]?.trust;
    assert.deepEqual(
      [trust?.settlements, trust?.observedSettlements, trust?.statsSource],
      [3, 1, 'observed'],
    );
    await at.close();
  });
});

describe('[spec: Health/catalogFrozen] a catalog that accepts no entries says so', () => {
  it('while there is no room for a new entry, but not once there is', async () => {
    const at = await openTestCatalog({ bounds: { ...DEFAULT_BOUNDS, entries: 1 } });
    assert.equal(await at.settle({ url: 'https://a.dev/1' }), 'cataloged');
    assert.equal(at.catalog.status().frozen, false);
    assert.equal(await at.settle({ url: 'https://b.dev/1', payTo: OTHER }), 'cataloging_error');
    assert.equal(at.catalog.status().frozen, true);
    at.clock.advance(DEFAULT_BOUNDS.staleMs + 1);
    assert.equal(await at.settle({ url: 'https://b.dev/1', payTo: OTHER }), 'cataloged');
    assert.equal(at.catalog.status().frozen, false);
    await at.close();
  });
});
