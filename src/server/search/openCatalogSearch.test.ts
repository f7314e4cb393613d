import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testKey } from '../../../test/support/payer.ts';
import { searchDocument } from '../../../test/support/searchDocuments.ts';
import { testClock } from '../../../test/support/testClock.ts';
import { ConfigError } from '../configError.ts';
import { configFromEnvironment } from '../configFromEnvironment.ts';
import { silentLogger } from '../logger.ts';
import { readSearchWords } from '../searchWords.ts';
import { openStore } from '../store/index.ts';
import { openCatalogSearch } from './openCatalogSearch.ts';

const needed = {
  STELLAR_RPC_URL: 'http://127.0.0.1:1',
  SPONSOR_SECRET: testKey('a sponsor of the search').secret,
  CHANNEL_SEED: 'sixteen characters',
};

describe('The environment configures embeddings', () => {
  it('without variables, they are computed in this process', () => {
    assert.equal(configFromEnvironment(needed).embeddings, null);
  });

  it('with EMBEDDINGS_URL, EMBEDDINGS_MODEL and optionally EMBEDDINGS_API_KEY', () => {
    const server = { EMBEDDINGS_URL: 'http://127.0.0.1:11434/v1', EMBEDDINGS_MODEL: 'a-model' };
    const { embeddings } = configFromEnvironment({ ...needed, ...server });
    assert.deepEqual(embeddings, {
      url: 'http://127.0.0.1:11434/v1',
      model: 'a-model',
      apiKey: null,
      queryPrefix: '',
      textPrefix: '',
      waitMs: 300,
      floor: 0,
    });
    const withKey = configFromEnvironment({ ...needed, ...server, EMBEDDINGS_API_KEY: 'k' });
    assert.equal(withKey.embeddings?.apiKey, 'k');
  });

  it("with the model's dimensions, prefixes, wait and floor", () => {
    const { embeddings } = configFromEnvironment({
      ...needed,
      EMBEDDINGS_URL: 'http://127.0.0.1:8080',
      EMBEDDINGS_MODEL: 'intfloat/multilingual-e5-small',
      EMBEDDINGS_DIMENSIONS: '384',
      EMBEDDINGS_QUERY_PREFIX: 'query: ',
      EMBEDDINGS_TEXT_PREFIX: 'passage: ',
      EMBEDDINGS_WAIT_MS: '1500',
      EMBEDDINGS_FLOOR: '0.75',
    });
    assert.deepEqual(embeddings, {
      url: 'http://127.0.0.1:8080',
      model: 'intfloat/multilingual-e5-small',
      apiKey: null,
      dimensions: 384,
      queryPrefix: 'query: ',
      textPrefix: 'passage: ',
      waitMs: 1_500,
      floor: 0.75,
    });
  });

  it('values out of range are refused by name', () => {
    const server = { EMBEDDINGS_URL: 'http://127.0.0.1:1', EMBEDDINGS_MODEL: 'm' };
    for (const wrong of [
      { EMBEDDINGS_DIMENSIONS: '1536' },
      { EMBEDDINGS_WAIT_MS: '0' },
      { EMBEDDINGS_FLOOR: '1.5' },
      { EMBEDDINGS_FLOOR: 'NaN' },
    ]) {
      const [name = ''] = Object.keys(wrong);
      assert.throws(
        () => configFromEnvironment({ ...needed, ...server, ...wrong }),
        (error) => error instanceof ConfigError && error.message.includes(name),
      );
    }
  });

  it('one without the other is refused', () => {
    for (const half of [{ EMBEDDINGS_URL: 'http://127.0.0.1:1' }, { EMBEDDINGS_MODEL: 'm' }]) {
      assert.throws(() => configFromEnvironment({ ...needed, ...half }), ConfigError);
    }
  });
});

describe('An opened search', () => {
  it('reports its embedding provider, where vectors are, and what is missing', async () => {
    const database = await openStore({ databaseUrl: null, dataFolder: null });
    const parts = {
      database,
      readWords: readSearchWords,
      clock: testClock(),
      logger: silentLogger,
    };
    const refusing: typeof fetch = () => Promise.reject(new Error('no server'));
    const own = await openCatalogSearch({ ...parts, embeddings: null, fetch: refusing });
    await own.put(searchDocument('e', 1, { tags: ['weather'] }));
    assert.deepEqual(own.status(), {
      documents: 1,
      pendingEmbeddings: 0,
      embeddings: { provider: 'embedded words, topics and letter runs, 3', circuit: 'closed' },
      vectorIndex: 'in process',
    });
    const embeddings = { url: 'http://127.0.0.1:9/v1', model: 'a-model', apiKey: null };
    const served = await openCatalogSearch({ ...parts, embeddings, fetch: refusing });
    await served.put(searchDocument('e', 1, { tags: ['weather'] }));
    await served.settled();
    assert.deepEqual(served.status(), {
      documents: 1,
      pendingEmbeddings: 1,
      embeddings: { provider: 'a-model', circuit: 'closed' },
      vectorIndex: 'in process',
    });
    served.stop();
    await database.close();
  });
});

describe('A query waits for its embedding as long as configured', () => {
  it('then continues by words alone', async () => {
    const clock = testClock();
    const database = await openStore({ databaseUrl: null, dataFolder: null });
    const stuck: typeof fetch = () => new Promise(() => undefined);
    const search = await openCatalogSearch({
      database,
      readWords: readSearchWords,
      clock,
      logger: silentLogger,
      fetch: stuck,
      embeddings: { url: 'http://127.0.0.1:9/v1', model: 'm', apiKey: null, waitMs: 2_000 },
    });
    let answered = false;
    const asked = search.search({ query: 'weather', filters: {}, limit: 1, cursor: null });
    void asked.then(() => {
      answered = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1_999);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(answered, false);
    clock.advance(1);
    assert.equal((await asked).kind, 'page');
    search.stop();
    await database.close();
  });
});
