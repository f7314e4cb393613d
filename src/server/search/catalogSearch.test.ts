import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allHits, memorySearch, searchDocument } from '../../../test/support/searchDocuments.ts';
import type { SearchPage, SearchRequest } from './catalogSearch.ts';
import type { CatalogSearch } from './index.ts';
import { queryKeys } from './lexical/queryKeys.ts';
import { MemoryIndex } from './memory/memoryIndex.ts';
import type { SearchDocument } from './searchDocument.ts';

async function searchOf(...documents: readonly SearchDocument[]): Promise<CatalogSearch> {
  const search = memorySearch();
  for (const document of documents) await search.put(document);
  return search;
}

async function page(search: CatalogSearch, request: Partial<SearchRequest>): Promise<SearchPage> {
  const outcome = await search.search({
    query: 'weather',
    filters: {},
    limit: 20,
    cursor: null,
    ...request,
  });
  if (outcome.kind === 'refused') throw new Error(outcome.code);
  return outcome.page;
}

/** The order of the lexical stage alone. */
async function lexicalOrder(query: string, ...documents: readonly SearchDocument[]) {
  const index = new MemoryIndex();
  for (const document of documents) await index.put(document);
  const scope = { filters: {}, asOf: 1_000, depth: 100 };
  const entries = await index.lexical(queryKeys(query), scope);
  return entries.map(({ id }) => id);
}

describe('The lexical stage weighs fields', () => {
  it('[spec: GET /discovery/search/Weights] serviceName 4, tags 3, description 2, URL 1', async () => {
    const order = await lexicalOrder(
      'weather',
      searchDocument('url', 1, { url: 'https://seller.test/weather' }),
      searchDocument('description', 2, { description: 'the weather' }),
      searchDocument('tags', 3, { tags: ['weather'] }),
      searchDocument('name', 4, { serviceName: 'Weather' }),
    );
    assert.deepEqual(order, ['name', 'tags', 'description', 'url']);
  });

  it('[spec: GET /discovery/search/Weights] field weights add up: description and URL together weigh as much as tags', async () => {
    const order = await lexicalOrder(
      'weather',
      searchDocument('both', 2, { description: 'weather', url: 'https://seller.test/weather' }),
      searchDocument('tags', 1, { tags: ['weather'] }),
    );
    assert.deepEqual(order, ['tags', 'both'], 'equal, so the older one is first');
  });

  it('[spec: GET /discovery/search/Lexical] a word of the same synonym group is found, after the word itself', async () => {
    const order = await lexicalOrder(
      'forecast',
      searchDocument('synonym', 1, { serviceName: 'Weather' }),
      searchDocument('itself', 2, { tags: ['forecast'] }),
      searchDocument('other', 3, { serviceName: 'Translation' }),
    );
    assert.deepEqual(order, ['itself', 'synonym']);
  });

  it('[spec: GET /discovery/search/Lexical] other forms of a word are found', async () => {
    assert.deepEqual(
      await lexicalOrder('translating', searchDocument('e', 1, { tags: ['translations'] })),
      ['e'],
    );
  });

  it('[spec: GET /discovery/search/Ties] equal matches are ordered by settlements × 2 + unique payers', async () => {
    const counts = (settlements: number, uniquePayers: number) => ({
      tags: ['weather'],
      settlements,
      uniquePayers,
    });
    const order = await lexicalOrder(
      'weather',
      searchDocument('five', 1, counts(1, 3)),
      searchDocument('six', 2, counts(3, 0)),
      searchDocument('seven', 3, counts(2, 3)),
    );
    assert.deepEqual(order, ['seven', 'six', 'five']);
  });
});

describe('A query', () => {
  it('[spec: GET /discovery/search/query] of white space alone is refused', async () => {
    const search = await searchOf();
    for (const query of ['', '  \n']) {
      assert.deepEqual(await search.search({ query, filters: {}, limit: 1, cursor: null }), {
        kind: 'refused',
        code: 'empty_query',
      });
    }
  });

  it('of any length and with any characters is answered', async () => {
    const search = await searchOf(searchDocument('e', 1, { tags: ['weather'] }));
    for (const query of ['!!!', 'a'.repeat(50_000), 'weather '.repeat(5_000), '天気', '\u0000']) {
      assert.equal(
        (await search.search({ query, filters: {}, limit: 5, cursor: null })).kind,
        'page',
      );
    }
  });

  it('finds what was added, not what was removed', async () => {
    const search = await searchOf(searchDocument('e', 1, { tags: ['weather'] }));
    assert.deepEqual(await allHits(search, 'weather'), ['e']);
    await search.remove('e');
    assert.deepEqual(await allHits(search, 'weather'), []);
    assert.equal(search.status().documents, 0);
  });

  it('reports which stage found a hit, and the fused score', async () => {
    const search = await searchOf(searchDocument('e', 1, { serviceName: 'Weather' }));
    const { hits } = await page(search, { query: 'weather' });
    const [hit] = hits;
    assert.ok(
      hit && (hit.points ?? 0) > 0 && (hit.nearness ?? 0) > 0.5 && (hit.nearness ?? 2) <= 1,
    );
    const { points, nearness, ...ranks } = hit;
    assert.deepEqual(ranks, {
      id: 'e',
      score: 2 / 61,
      lexicalRank: 1,
      moreBySeller: 0,
      vectorRank: 1,
    });
  });
});

describe('Filters', () => {
  const document = (id: string, sequence: number, fields: Partial<SearchDocument['fields']>) => ({
    ...searchDocument(id, sequence, { tags: ['weather'] }),
    fields: { ...searchDocument(id, sequence).fields, ...fields },
  });

  it('[spec: GET /discovery/search/Filters] type, payTo, scheme, network and extensions, which must all match', async () => {
    const search = await searchOf(
      document('tool', 1, { type: 'mcp' }),
      document('other', 2, { payTo: ['GOTHER'] }),
      document('upto', 3, { scheme: ['exact', 'upto'] }),
      document('elsewhere', 4, { network: ['stellar:pubnet'] }),
      document('plain', 5, { extensions: [] }),
    );
    const found = async (filters: SearchRequest['filters']) =>
      new Set((await page(search, { filters })).hits.map(({ id }) => id));
    assert.deepEqual(await found({ type: 'mcp' }), new Set(['tool']));
    assert.deepEqual(await found({ payTo: 'GOTHER' }), new Set(['other']));
    assert.deepEqual(await found({ payTo: 'gother' }), new Set(['other']), 'without case');
    assert.deepEqual(await found({ scheme: 'upto' }), new Set(['upto']));
    assert.deepEqual(await found({ network: 'stellar:pubnet' }), new Set(['elsewhere']));
    assert.deepEqual(
      await found({ type: 'http', extensions: 'bazaar', payTo: 'GSELLER' }),
      new Set(['upto', 'elsewhere']),
    );
    assert.deepEqual(await found({ type: 'mcp', scheme: 'upto' }), new Set());
  });
});

describe('Pages', () => {
  it('[spec: GET /discovery/search/Null cursor] a null cursor means no more results', async () => {
    const search = await searchOf(
      ...[1, 2, 3, 4].map((n) => searchDocument(`e${n}`, n, { tags: ['weather'] })),
    );
    const first = await page(search, { limit: 2 });
    assert.notEqual(first.cursor, null);
    const second = await page(search, { limit: 2, cursor: first.cursor });
    assert.equal(second.cursor, null);
    assert.deepEqual([...first.hits, ...second.hits].map(({ id }) => id).sort(), [
      'e1',
      'e2',
      'e3',
      'e4',
    ]);
  });

  it('[spec: GET /discovery/search/Filters change] a cursor for other filters is refused as such', async () => {
    const search = await searchOf(
      ...[1, 2].map((n) => searchDocument(`e${n}`, n, { tags: ['weather'] })),
    );
    const { cursor } = await page(search, { limit: 1 });
    assert.deepEqual(
      await search.search({ query: 'weather', filters: { type: 'http' }, limit: 1, cursor }),
      { kind: 'refused', code: 'cursor_filters_changed' },
    );
  });
});

describe('partialResults', () => {
  it('is false when both stages ranked everything', async () => {
    const search = await searchOf(searchDocument('e', 1, { tags: ['weather'] }));
    assert.equal((await page(search, {})).partialResults, false);
  });

  it('is false when more entries matched than are ranked, because the best are', async () => {
    const search = memorySearch();
    for (let n = 1; n <= 1_001; n += 1) {
      await search.put(searchDocument(`e${n}`, n, { tags: ['weather'] }));
    }
    assert.equal((await page(search, {})).partialResults, false);
    assert.ok((await allHits(search, 'weather')).length >= 1_000);
  });

  it('is true while entries are still being loaded after a start', async () => {
    const search = await searchOf(searchDocument('e', 1, { tags: ['weather'] }));
    search.setLoading(true);
    assert.equal((await page(search, {})).partialResults, true);
    search.setLoading(false);
    assert.equal((await page(search, {})).partialResults, false);
  });
});

describe('The same entries give the same results', () => {
  it('after a restart, whatever the order in which they are loaded', async () => {
    const documents = Array.from({ length: 60 }, (_, n) =>
      searchDocument(`e${n}`, n + 1, {
        tags: [['weather', 'news', 'image'][n % 3] ?? ''],
        description: n % 2 ? 'forecast of prices' : 'pictures',
      }),
    );
    const before = await searchOf(...documents);
    const after = await searchOf(...[...documents].reverse());
    for (const query of ['weather', 'news prices', 'picture']) {
      assert.deepEqual(
        await page(after, { query, limit: 100 }),
        await page(before, { query, limit: 100 }),
      );
    }
  });
});
