import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { localEmbedding } from '../../../../test/support/localEmbedding.ts';
import { openPglite } from '../../../../test/support/pgliteDatabase.ts';
import {
  allHits,
  labelledEntries,
  labelledQueries,
} from '../../../../test/support/searchDocuments.ts';
import { testClock } from '../../../../test/support/testClock.ts';
import { silentLogger } from '../../logger.ts';
import { type Database, openStore } from '../../store/index.ts';
import { createCatalogSearch } from '../index.ts';
import { queryKeys } from '../lexical/queryKeys.ts';
import { MemoryIndex } from '../memory/memoryIndex.ts';
import type { SearchIndex } from '../searchIndex.ts';
import { openSearchIndex } from './openSearchIndex.ts';
import { sqlEmbeddingCache } from './sqlEmbeddingCache.ts';
import { SqlIndex } from './sqlIndex.ts';

const entries = labelledEntries();
const queries = labelledQueries().filter((_, n) => n % 5 === 0);
const provider = localEmbedding();
const scope = { filters: {}, asOf: 1_000_000, depth: 100 };

const searchOver = (index: SearchIndex) =>
  createCatalogSearch({ clock: testClock(), logger: silentLogger, provider, index });

interface Engine {
  readonly name: string;
  open(): Promise<Database>;
  index(database: Database): Promise<SearchIndex>;
  readonly vectorIndex: 'in process' | 'pgvector';
}

const engines: readonly Engine[] = [
  {
    name: 'PostgreSQL with pgvector',
    open: () => openPglite({ pgvector: true }),
    index: (database) => openSearchIndex(database, provider),
    vectorIndex: 'pgvector',
  },
  {
    name: 'PostgreSQL without pgvector',
    open: () => openPglite({ pgvector: false }),
    index: (database) => openSearchIndex(database, provider),
    vectorIndex: 'in process',
  },
  {
    name: 'the same statements on SQLite',
    open: () => openStore({ databaseUrl: null, dataFolder: null }),
    index: (database) =>
      SqlIndex.open({
        database,
        provider: provider.name,
        vectors: new MemoryIndex({ words: false }),
      }),
    vectorIndex: 'in process',
  },
];

for (const engine of engines) {
  describe(`The search in a database returns the same as the search in this process: ${engine.name}`, () => {
    let database: Database;
    let index: SearchIndex;
    const memory = new MemoryIndex();

    before(async () => {
      database = await engine.open();
      index = await engine.index(database);
      const [inDatabase, inMemory] = [searchOver(index), searchOver(memory)];
      for (const entry of entries) {
        await inDatabase.put(entry);
        await inMemory.put(entry);
      }
    });
    after(() => database.close());

    it('reports where its vectors are', () => {
      assert.equal(index.vectorIndex, engine.vectorIndex);
      assert.equal(searchOver(index).status().vectorIndex, engine.vectorIndex);
    });

    it('by words: the same entries in the same order, with the same points', async () => {
      for (const { query } of queries) {
        const ids = async (of: SearchIndex) =>
          (await of.lexical(queryKeys(query), scope)).map(({ id, score, evidence }) => [
            id,
            score,
            evidence,
          ]);
        assert.deepEqual(await ids(index), await ids(memory), query);
      }
      const some = await index.lexical(queryKeys('price'), { ...scope, depth: 3 });
      assert.equal(some.length, 3);
    });

    it('by vectors: at least nine of the first ten are the same on average', async () => {
      let same = 0;
      for (const { query } of queries) {
        const vector = provider.embedText(query);
        const ids = async (of: SearchIndex) =>
          (await of.nearest(vector, -1, { ...scope, depth: 10 })).map(({ id }) => id);
        const inMemory = new Set(await ids(memory));
        same += (await ids(index)).filter((id) => inMemory.has(id)).length;
      }
      assert.ok(same >= queries.length * 9, `${same} of ${queries.length * 10}`);
    });

    it('fused: the same first hit for nineteen of twenty queries', async () => {
      let same = 0;
      for (const { query } of queries) {
        const [first] = await allHits(searchOver(index), query);
        if (first === (await allHits(searchOver(memory), query))[0]) same += 1;
      }
      assert.ok(same >= queries.length * 0.95, `${same} of ${queries.length}`);
    });

    it('filters and the time of listing limit both stages', async () => {
      const keys = queryKeys('price');
      const bounded = { ...scope, asOf: 40 };
      const early = await index.lexical(keys, bounded);
      assert.ok(early.length > 0 && early.every(({ sequence }) => sequence <= 40));
      const vector = provider.embedText('price');
      assert.ok((await index.nearest(vector, -1, bounded)).every(({ sequence }) => sequence <= 40));
      const others = { ...scope, filters: { type: 'mcp' } };
      assert.deepEqual(await index.lexical(keys, others), []);
      assert.deepEqual(await index.nearest(vector, -1, others), []);
      const sellers = { ...scope, filters: { type: 'http', payTo: 'gseller' } };
      assert.ok((await index.lexical(keys, sellers)).length > 0);
      assert.equal((await index.nearest(vector, -1, sellers)).length, 100);
    });

    it('new counts reorder equal matches at once, and changed texts replace the old ones', async () => {
      const [first, second] = entries;
      assert.ok(first && second);
      const said = { serviceName: null, tags: ['zzz'], description: null, schemaText: '' };
      const search = searchOver(index);
      await search.put({ ...first, ...said });
      await search.put({ ...second, ...said });
      const order = async () => {
        const found = await index.lexical(queryKeys('zzz'), scope);
        return found.map(({ id }) => id);
      };
      await index.count(second.id, { settlements: 99_999, uniquePayers: 0, standing: 0 });
      assert.deepEqual(await order(), [second.id, first.id]);
      await index.count(first.id, { settlements: 99_999, uniquePayers: 1, standing: 0 });
      assert.deepEqual(await order(), [first.id, second.id]);
      await search.put(first);
      await search.put(second);
      assert.deepEqual(await order(), []);
    });

    it('put requests an embedding if it has none for these texts', async () => {
      const [entry] = entries;
      assert.ok(entry);
      assert.equal(await index.put(entry), false);
      assert.equal(await index.put({ ...entry, settlements: 1 }), false);
      assert.equal(await index.put({ ...entry, description: 'something else' }), true);
      assert.equal(await index.put(entry), true);
      await index.setVector(entry.id, provider.embedText('weather'));
      assert.equal(await index.put(entry), false);
    });

    it('a removed entry is not found', async () => {
      const size = index.size;
      for (const entry of entries) await index.remove(entry.id);
      assert.equal(size, entries.length);
      assert.equal(index.size, 0);
      assert.deepEqual(await index.lexical(queryKeys('price'), scope), []);
      assert.deepEqual(await index.nearest(provider.embedText('price'), -1, scope), []);
    });
  });
}

describe('A change of the embedding provider', () => {
  it('leaves no vectors of the previous one in the database', async () => {
    const database = await openPglite({ pgvector: true });
    const [entry] = entries;
    assert.ok(entry);
    const former = await openSearchIndex(database, { name: 'former' });
    await former.put(entry);
    await former.setVector(entry.id, provider.embedText('weather'));
    const again = await openSearchIndex(database, { name: 'former' });
    assert.equal(await again.put(entry), false);
    const other = await openSearchIndex(database, { name: 'other' });
    assert.deepEqual(await other.nearest(provider.embedText('weather'), -1, scope), []);
    assert.equal(await other.put(entry), true);
    await database.close();
  });
});

describe('The store keeps embeddings', () => {
  it('exactly, by their keys', async () => {
    const database = await openStore({ databaseUrl: null, dataFolder: null });
    const cache = sqlEmbeddingCache(database);
    const vector = provider.embedText('weather');
    await cache.keep(new Map([['a', vector]]));
    await cache.keep(new Map([['a', vector]]));
    assert.deepEqual(await cache.find(['a', 'b']), new Map([['a', vector]]));
    assert.deepEqual(await cache.find([]), new Map());
    await database.close();
  });
});
