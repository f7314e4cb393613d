import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
  SPONSOR_SECRET: 'S',
  CHANNEL_SEED: 'sixteen characters',
};

describe('Embeddings are set by the environment', () => {
  it('by none, in this process', () => {
    assert.equal(configFromEnvironment(needed).embeddings, null);
  });

  it('by EMBEDDINGS_URL, EMBEDDINGS_MODEL and perhaps EMBEDDINGS_API_KEY', () => {
    const server = { EMBEDDINGS_URL: 'http://127.0.0.1:11434/v1', EMBEDDINGS_MODEL: 'a-model' };
    const { embeddings } = configFromEnvironment({ ...needed, ...server });
    assert.deepEqual(embeddings, {
      url: 'http://127.0.0.1:11434/v1',
      model: 'a-model',
      apiKey: null,
    });
    const withKey = configFromEnvironment({ ...needed, ...server, EMBEDDINGS_API_KEY: 'k' });
    assert.equal(withKey.embeddings?.apiKey, 'k');
  });

  it('by one without the other, refused', () => {
    for (const half of [{ EMBEDDINGS_URL: 'http://127.0.0.1:1' }, { EMBEDDINGS_MODEL: 'm' }]) {
      assert.throws(() => configFromEnvironment({ ...needed, ...half }), ConfigError);
    }
  });
});

describe('A search that is opened', () => {
  it('tells what embeds, where vectors are, and what is missing', async () => {
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
      embeddings: { provider: 'embedded words, topics and letter runs, 2', circuit: 'closed' },
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
