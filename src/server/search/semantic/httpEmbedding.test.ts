import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { searchDocument } from '../../../../test/support/searchDocuments.ts';
import { type TestClock, testClock } from '../../../../test/support/testClock.ts';
import type { Logger } from '../../logger.ts';
import { createCatalogSearch, type EmbeddingCache } from '../index.ts';
import { EmbeddingError } from './embeddingProvider.ts';
import { HttpEmbedding, type HttpEmbeddingOptions } from './httpEmbedding.ts';

const KEY = 'sk-very-secret';

interface Call {
  readonly url: string;
  readonly init: RequestInit;
  readonly input: readonly string[];
}

type Answer = (call: Call) => Response | Promise<Response>;

/** A server's response: for each text a vector that points towards the dimension of its length. */
const vectors: Answer = ({ input }) =>
  Response.json({
    data: input.map((text, index) => ({
      index,
      embedding: Array.from({ length: 1024 }, (_, n) => (n === text.length % 1024 ? 1 : 1 / 64)),
    })),
  });

function serverOf(answer: Answer, settings: Partial<HttpEmbeddingOptions> = {}) {
  const calls: Call[] = [];
  const lines: string[] = [];
  const clock: TestClock = testClock();
  const note = (fields: object, message: string) => {
    lines.push(JSON.stringify({ ...fields, message }));
  };
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  const server = { answer };
  const fetchIt: typeof fetch = async (url, init = {}) => {
    const { input }: { input: string[] } = JSON.parse(String(init.body));
    const call = { url: String(url), init, input };
    calls.push(call);
    return server.answer(call);
  };
  const provider = new HttpEmbedding({
    url: 'http://127.0.0.1:9/v1/',
    model: 'a-model',
    apiKey: KEY,
    fetch: fetchIt,
    clock,
    logger,
    ...settings,
  });
  return { calls, lines, clock, logger, server, provider };
}

const fails = (code: EmbeddingError['code']) => (error: unknown) =>
  error instanceof EmbeddingError && error.code === code;

describe('Embeddings of an OpenAI-compatible server', () => {
  it('are requested with model, texts, 1,024 dimensions and the key, following no redirect', async () => {
    const { calls, provider } = serverOf(vectors);
    const [vector] = await provider.embed(['ab'], 'entry');
    assert.equal(vector?.[2], 1);
    const [call] = calls;
    assert.equal(call?.url, 'http://127.0.0.1:9/v1/embeddings');
    assert.equal(call?.init.method, 'POST');
    assert.equal(call?.init.redirect, 'error');
    assert.equal(new Headers(call?.init.headers).get('authorization'), `Bearer ${KEY}`);
    assert.deepEqual(JSON.parse(String(call?.init.body)), {
      model: 'a-model',
      input: ['ab'],
      dimensions: 1024,
      encoding_format: 'float',
    });
  });

  it('of a model with fewer dimensions: the request sets none, and the rest are zeros', async () => {
    const small: Answer = ({ input }) =>
      Response.json({ data: input.map((_, index) => ({ index, embedding: [0.6, 0.8, 0] })) });
    const { calls, provider, server } = serverOf(small, { dimensions: 3 });
    const [vector] = await provider.embed(['ab'], 'entry');
    assert.equal(vector?.length, 1024);
    assert.deepEqual([...(vector ?? [])].slice(0, 4), [...Float32Array.of(0.6, 0.8, 0, 0)]);
    assert.ok(!('dimensions' in JSON.parse(String(calls[0]?.init.body))));
    server.answer = vectors;
    await assert.rejects(provider.embed(['ab'], 'entry'), fails('embeddings_mismatch'));
  });

  it("get the model's prefixes for queries and texts, which are part of their name", async () => {
    const prefixes = { query: 'query: ', entry: 'passage: ' };
    const { calls, provider } = serverOf(vectors, { prefixes });
    await provider.embed(['weather'], 'query');
    await provider.embed(['Forecasts'], 'entry');
    assert.deepEqual(
      calls.map(({ input }) => input),
      [['query: weather'], ['passage: Forecasts']],
    );
    // Without the prefix, the embedding is a different one.
    assert.notEqual(provider.name, serverOf(vectors).provider.name);
  });

  it('are requested in batches of 64, and returned in the order of the texts', async () => {
    const { calls, provider, server } = serverOf(vectors);
    server.answer = async (call) => {
      const { data } = (await (await vectors(call)).json()) as { data: unknown[] };
      return Response.json({ data: data.reverse() });
    };
    const made = await provider.embed(
      Array.from({ length: 150 }, (_, n) => 'x'.repeat(n)),
      'entry',
    );
    assert.deepEqual(
      calls.map(({ input }) => input.length),
      [64, 64, 22],
    );
    assert.deepEqual(
      made.map((vector) => vector.indexOf(1)),
      made.map((_, n) => n),
    );
  });

  it('with other dimensions, numbers or counts are refused', async () => {
    const wrong: unknown[] = [
      {},
      { data: [] },
      { data: [{ embedding: [1, 2, 3] }] },
      { data: [{ embedding: Array.from({ length: 768 }, () => 1) }] },
      { data: [{ embedding: Array.from({ length: 1024 }, () => 'x') }] },
      { data: [{ index: 7, embedding: Array.from({ length: 1024 }, () => 1) }] },
    ];
    for (const answer of wrong) {
      const { provider } = serverOf(() => Response.json(answer));
      await assert.rejects(provider.embed(['a'], 'entry'), fails('embeddings_mismatch'));
    }
  });

  it('time out', async () => {
    const { clock, provider } = serverOf(
      ({ init }) =>
        new Promise((_, reject) => {
          init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    );
    const made = provider.embed(['a'], 'entry');
    clock.advance(10_000);
    await assert.rejects(made, fails('embeddings_unavailable'));
  });

  it('the key is not in any log or error, even if the server sends it back', async () => {
    const { lines, provider } = serverOf(() => new Response(`bad key ${KEY}`, { status: 401 }));
    await assert.rejects(provider.embed(['a secret text'], 'entry'), (error) => {
      assert.ok(!String(error).includes(KEY));
      return fails('embeddings_unavailable')(error);
    });
    assert.ok(lines.length > 0);
    for (const line of lines) {
      assert.ok(!line.includes(KEY));
      assert.ok(!line.includes('a secret text'));
    }
  });

  it('are held back after three consecutive failures, then tried with one call', async () => {
    const { calls, clock, provider, server } = serverOf(() => new Response(null, { status: 500 }));
    for (let n = 0; n < 3; n += 1) await assert.rejects(provider.embed(['a'], 'entry'));
    assert.equal(provider.circuit(), 'open');
    await assert.rejects(provider.embed(['a'], 'entry'), fails('embeddings_held_back'));
    assert.equal(calls.length, 3);
    clock.advance(30_000);
    await assert.rejects(provider.embed(['a'], 'entry'), fails('embeddings_unavailable'));
    await assert.rejects(provider.embed(['a'], 'entry'), fails('embeddings_held_back'));
    clock.advance(30_000);
    server.answer = vectors;
    await provider.embed(['a'], 'entry');
    assert.equal(provider.circuit(), 'closed');
  });
});

describe('A search whose embeddings come from a server', () => {
  const request = { query: 'weather', filters: {}, limit: 10, cursor: null };

  async function searchWith(answer: Answer, cache?: EmbeddingCache) {
    const parts = serverOf(answer);
    const search = createCatalogSearch({
      clock: { ...parts.clock, sleep: () => new Promise((resolve) => setImmediate(resolve)) },
      logger: parts.logger,
      provider: parts.provider,
      queryBudgetMs: 200,
      ...(cache ? { cache } : {}),
    });
    for (const n of [1, 2, 3]) {
      await search.put(
        searchDocument(`e${n}`, n, { tags: ['weather'], description: 'x'.repeat(n) }),
      );
    }
    await search.settled();
    const ask = async () => {
      const outcome = await search.search(request);
      if (outcome.kind === 'refused') throw new Error(outcome.code);
      return outcome.page;
    };
    return { ...parts, search, ask };
  }

  it('embeds entries in one batch, after they can be found by their words', async () => {
    const { ask, calls, search } = await searchWith(vectors);
    assert.deepEqual(
      calls.map(({ input }) => input.length),
      [3],
    );
    assert.equal(search.status().pendingEmbeddings, 0);
    const { hits, partialResults } = await ask();
    assert.equal(partialResults, false);
    assert.equal(hits.length, 3);
    assert.ok(hits.every(({ vectorRank }) => vectorRank !== null));
  });

  it('[spec: GET /discovery/search/Provider down] continues with words alone if the provider is down', async () => {
    const { ask, search } = await searchWith(() => new Response(null, { status: 503 }));
    const { hits, partialResults } = await ask();
    assert.equal(partialResults, true);
    assert.equal(hits.length, 3);
    assert.equal(search.status().pendingEmbeddings, 3);
    search.stop();
  });

  it('continues with words alone if the query exceeds its time budget', async () => {
    let release: (response: Response) => void = () => {};
    const { ask, clock, server } = await searchWith(vectors);
    server.answer = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    const page = ask();
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(200);
    assert.equal((await page).partialResults, true);
    // A late embedding is used the next time.
    release(await vectors({ url: '', init: {}, input: ['weather'] }));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await ask()).partialResults, false);
  });

  it('computes the missing embeddings when the provider is back', async () => {
    const { ask, clock, search, server } = await searchWith(
      () => new Response(null, { status: 503 }),
    );
    server.answer = vectors;
    clock.advance(30_000);
    await search.settled();
    assert.equal(search.status().pendingEmbeddings, 0);
    assert.equal((await ask()).partialResults, false);
  });

  it('takes embeddings of known texts from the cache', async () => {
    const kept = new Map<string, Float32Array>();
    const cache: EmbeddingCache = {
      find: async (keys) => new Map([...kept].filter(([key]) => keys.includes(key))),
      keep: async (made) => {
        for (const [key, vector] of made) kept.set(key, vector);
      },
    };
    await searchWith(vectors, cache);
    const again = await searchWith(vectors, cache);
    assert.equal(again.calls.length, 0);
    assert.equal(again.search.status().pendingEmbeddings, 0);
  });
});
