import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { silentLogger } from '../../src/server/logger.ts';
import {
  createCatalogSearch,
  type EmbeddingProvider,
  type IndexFile,
} from '../../src/server/search/index.ts';
import { SEARCH_INDEX_FILE, searchIndexFile } from '../../src/server/searchIndexFile.ts';
import { openStore } from '../../src/server/store/index.ts';
import { openTestCatalog, type TestCatalog } from '../support/catalog.ts';
import { localEmbedding } from '../support/localEmbedding.ts';
import { labelledEntries } from '../support/searchDocuments.ts';
import { testClock } from '../support/testClock.ts';

const ALWAYS = { changes: 1, share: Number.POSITIVE_INFINITY, everyMs: 0 };
const NEVER = { ...ALWAYS, changes: Number.POSITIVE_INFINITY };
const QUERIES = ['weather forecast', 'exchange rate of euros', 'pictures of cats', 'wetter morgen'];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'x402-search-index-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const local = localEmbedding();

/** The embedding of this process, counting the texts that it was given. */
function counted(name?: string): EmbeddingProvider & { texts: number } {
  return {
    name: name ?? local.name,
    floor: local.floor,
    scale: local.scale,
    local: true,
    texts: 0,
    embed(texts) {
      this.texts += texts.length;
      return local.embed(texts);
    },
    circuit: () => 'closed',
  };
}

interface Opened extends TestCatalog {
  readonly provider: ReturnType<typeof counted>;
}

/** A start of the service over the folder. */
async function open({
  keeping = ALWAYS,
  file = searchIndexFile(folder),
  model,
}: {
  readonly keeping?: typeof ALWAYS;
  readonly file?: IndexFile;
  readonly model?: string;
} = {}): Promise<Opened> {
  const clock = testClock(Date.UTC(2026, 10, 21));
  const provider = counted(model);
  const opened = await openTestCatalog({
    database: await openStore({ databaseUrl: null, dataFolder: folder }),
    clock,
    keeping,
    search: createCatalogSearch({ clock, logger: silentLogger, provider, file }),
  });
  return { ...opened, provider };
}

/** The same, when the search has caught up. */
async function openIdle(options: Parameters<typeof open>[0] = {}): Promise<Opened> {
  const opened = await open(options);
  await opened.catalog.idle();
  return opened;
}

async function settleMany(catalog: TestCatalog, from: number, to: number): Promise<void> {
  for (const [n, entry] of labelledEntries().slice(from, to).entries()) {
    const { serviceName, description, tags } = entry;
    const resource = { serviceName, description, tags };
    assert.equal(
      await catalog.settle({ url: `https://seller.dev/${from + n}`, resource }),
      'cataloged',
    );
  }
  await catalog.catalog.idle();
}

/** Everything that a search answers: hits with their order, match and counts, page by page. */
async function answers({ catalog }: TestCatalog): Promise<unknown[]> {
  const pages = [];
  for (const query of QUERIES) {
    let cursor: string | null = null;
    do {
      const answer = await catalog.search({ query, filters: {}, narrowing: {}, limit: 7, cursor });
      assert.ok(answer.kind === 'page');
      assert.equal(answer.partialResults, false);
      pages.push(
        answer.hits.map(({ entry, match }) => [entry.listing, entry.trust.settlements, match]),
      );
      cursor = answer.cursor;
    } while (cursor !== null);
  }
  const filtered = await catalog.search({
    query: QUERIES[0] ?? '',
    filters: { type: 'http', network: 'stellar:testnet' },
    narrowing: {},
    limit: 20,
    cursor: null,
  });
  assert.ok(filtered.kind === 'page');
  return [...pages, filtered.hits.map(({ entry, match }) => [entry.listing.key, match])];
}

/** What a search answers that has been filled from the store alone. */
async function fromTheStore(): Promise<unknown[]> {
  const fresh = await openIdle({
    keeping: NEVER,
    file: { read: async () => null, write: async () => 0 },
  });
  const found = await answers(fresh);
  await fresh.close();
  return found;
}

const path = () => join(folder, SEARCH_INDEX_FILE);
/** The form of the kept index passes one text through the provider. */
const PROBE = 1;

describe('The index is stored on disk, so that a restart does not build it again', () => {
  it('a restart gives the same answers, without embedding any entry', async () => {
    const first = await openIdle({ keeping: { ...ALWAYS, changes: 40 } });
    await settleMany(first, 0, 40);
    const before = await answers(first);
    await first.close();

    const second = await openIdle();
    const { texts } = second.provider;
    assert.deepEqual(await answers(second), before);
    assert.equal(texts, PROBE);
    assert.equal(second.catalog.status().search.documents, 40);
    await settleMany(second, 40, 60);
    const more = await answers(second);
    await second.close();
    assert.deepEqual(await fromTheStore(), more);
  });

  it('only its owner can read the file, and no draft remains', async () => {
    const first = await openIdle();
    await settleMany(first, 0, 3);
    await first.close();
    assert.equal(statSync(path()).mode & 0o077, 0);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('draft')),
      [],
    );
  });

  it('a small catalog has no file: building its index again is faster than reading one', async () => {
    const clock = testClock(Date.UTC(2026, 10, 21));
    const catalog = await openTestCatalog({
      database: await openStore({ databaseUrl: null, dataFolder: folder }),
      clock,
      search: createCatalogSearch({
        clock,
        logger: silentLogger,
        provider: counted(),
        file: searchIndexFile(folder),
      }),
    });
    await settleMany(catalog, 0, 10);
    await catalog.close();
    assert.equal(existsSync(path()), false);
  });
});

describe('Changes since the file was written are found after a restart', () => {
  it('entries that were added, changed, paid for again, and removed', async () => {
    const first = await openIdle({ keeping: { ...ALWAYS, changes: 20 } });
    await settleMany(first, 0, 20);
    await first.close();
    const kept = readFileSync(path());

    const second = await openIdle({ keeping: NEVER });
    await settleMany(second, 20, 30);
    await second.settle({
      url: 'https://seller.dev/3',
      resource: { serviceName: 'Zeppelin timetable', description: 'Airships by the hour.' },
    });
    for (const payer of ['a', 'b', 'c']) {
      await second.settle({ url: 'https://seller.dev/5', payer });
    }
    await second.catalog.operate({
      action: 'delist',
      target: { kind: 'resource', value: 'https://seller.dev/7' },
      reason: 'asked for',
    });
    await second.catalog.idle();
    assert.equal(second.catalog.status().search.documents, 29);
    const before = await answers(second);
    await second.close();
    assert.deepEqual(readFileSync(path()), kept);

    const third = await openIdle({ keeping: NEVER });
    assert.ok(third.provider.texts - PROBE <= 12, `${third.provider.texts} texts were embedded`);
    assert.deepEqual(await answers(third), before);
    const airships = await third.catalog.search({
      query: 'zeppelin',
      filters: {},
      narrowing: {},
      limit: 1,
      cursor: null,
    });
    assert.ok(airships.kind === 'page');
    assert.equal(airships.hits[0]?.entry.listing.serviceName, 'Zeppelin timetable');
    await third.close();
    assert.deepEqual(await fromTheStore(), before);
  });

  it('entries that had no embedding when the file was written get one', async () => {
    const down: EmbeddingProvider = {
      ...counted(),
      local: false,
      embed: () => Promise.reject(new Error('the server is down')),
    };
    const clock = testClock(Date.UTC(2026, 10, 21));
    const start = async (provider: EmbeddingProvider) =>
      openTestCatalog({
        database: await openStore({ databaseUrl: null, dataFolder: folder }),
        clock,
        keeping: ALWAYS,
        search: createCatalogSearch({
          clock,
          logger: silentLogger,
          provider,
          file: searchIndexFile(folder),
        }),
      });
    const first = await start(down);
    await settleMany(first, 0, 5);
    assert.equal(first.catalog.status().search.pendingEmbeddings, 5);
    await first.close();
    assert.equal(existsSync(path()), true);
    const up = { ...counted(), local: false };
    const second = await start(up);
    await second.catalog.idle();
    assert.equal(second.catalog.status().search.pendingEmbeddings, 0);
    assert.equal(up.texts, 5);
    await second.close();
  });

  it('changes that only the store has, for example after a kill', async () => {
    const first = await openIdle();
    await settleMany(first, 0, 10);
    await first.close();
    const store = await openStore({ databaseUrl: null, dataFolder: folder });
    await store.run("DELETE FROM catalog_options WHERE key = 'https://seller.dev/2'");
    await store.run("DELETE FROM catalog_entries WHERE key = 'https://seller.dev/2'");
    await store.run("UPDATE catalog_entries SET listed = 0 WHERE key = 'https://seller.dev/4'");
    await store.close();
    const second = await openIdle({ keeping: NEVER });
    assert.equal(second.catalog.status().search.documents, 8);
    await second.close();
  });

  it('a kill between the announcement of a new file and its last byte leaves the previous one usable', async () => {
    const first = await openIdle();
    await settleMany(first, 0, 10);
    await first.close();
    const real = searchIndexFile(folder);
    let fail = (_: Error) => {};
    const second = await openIdle({
      file: {
        read: real.read,
        write: () =>
          new Promise((_, reject) => {
            fail = reject;
          }),
      },
    });
    // Announces a file that never comes.
    for (let n = 10; n < 14; n += 1) await second.settle({ url: `https://seller.dev/${n}` });
    const database = second.database;
    while ((await database.all('SELECT mark FROM catalog_kept')).length < 2) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await database.close();
    fail(new Error('the process was killed'));
    await second.stop();

    const third = await openIdle({ keeping: NEVER });
    assert.ok(third.provider.texts - PROBE <= 4, `${third.provider.texts} texts were embedded`);
    const found = await answers(third);
    await third.close();
    assert.deepEqual(await fromTheStore(), found);
  });
});

describe('A file that does not match this store and version is built again', () => {
  let expected: unknown[] = [];
  let whole: Buffer = Buffer.alloc(0);
  let made = '';

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'x402-search-index-'));
    made = folder;
    const first = await openIdle({ keeping: { ...ALWAYS, changes: 12 } });
    await settleMany(first, 0, 12);
    expected = await answers(first);
    await first.close();
    whole = readFileSync(path());
  });
  after(() => rmSync(made, { recursive: true, force: true }));
  beforeEach(() => cpSync(made, folder, { recursive: true }));

  async function isMadeAgain(answered = expected): Promise<void> {
    const opened = await openIdle({ keeping: NEVER });
    assert.ok(opened.provider.texts >= 12, 'the file was used');
    assert.deepEqual(await answers(opened), answered);
    await opened.close();
  }

  const damages: Readonly<Record<string, (bytes: Buffer) => Uint8Array>> = {
    empty: () => new Uint8Array(),
    'cut off in its first bytes': (bytes) => bytes.subarray(0, 5),
    'cut off in the middle': (bytes) => bytes.subarray(0, bytes.length >> 1),
    'without its last byte': (bytes) => bytes.subarray(0, -1),
    'with a byte too many': (bytes) => Buffer.concat([bytes, Buffer.from('x')]),
    'of an older or newer version': (bytes) =>
      Buffer.concat([Buffer.from('x402idx9'), bytes.subarray(8)]),
    'with a block of 4 GB': (bytes) =>
      Buffer.concat([bytes.subarray(0, 8), Buffer.alloc(4, 255), bytes.subarray(12)]),
    'of zeros': (bytes) => Buffer.alloc(bytes.length),
  };
  for (const [name, damaged] of Object.entries(damages)) {
    it(name, async () => {
      writeFileSync(path(), damaged(whole));
      await isMadeAgain();
    });
  }

  it('with one bit turned, wherever it is', async () => {
    for (let n = 0; n < 4; n += 1) {
      const bytes = Buffer.from(whole);
      const at = Math.floor(((n + 0.5) / 4) * bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ 4;
      writeFileSync(path(), bytes);
      await isMadeAgain();
    }
  });

  it('missing', async () => {
    rmSync(path());
    await isMadeAgain();
  });

  it('a folder in its place', async () => {
    rmSync(path());
    mkdirSync(path());
    await isMadeAgain();
  });

  it('of another model', async () => {
    const opened = await openIdle({ keeping: NEVER, model: 'another model' });
    assert.ok(opened.provider.texts >= 12);
    await opened.close();
  });

  it('older than the store remembers, as from a backup of the file alone', async () => {
    const second = await openIdle();
    await settleMany(second, 12, 16);
    await second.close();
    writeFileSync(path(), whole);
    await isMadeAgain(await fromTheStore());
  });

  it('newer than the store, as after a backup of the store was restored', async () => {
    const store = readFileSync(join(folder, 'service.db'));
    const second = await openIdle();
    await settleMany(second, 12, 16);
    await second.close();
    for (const name of readdirSync(folder)) {
      if (name.startsWith('service.db-')) rmSync(join(folder, name));
    }
    writeFileSync(join(folder, 'service.db'), store);
    await isMadeAgain();
  });

  it('of a store that was removed and started again', async () => {
    for (const name of readdirSync(folder)) {
      if (name.startsWith('service.db')) rmSync(join(folder, name), { recursive: true });
    }
    const opened = await openIdle({ keeping: NEVER });
    assert.equal(opened.catalog.status().search.documents, 0);
    await opened.close();
  });
});

describe('While the index is read and updated, answers are marked as partial', () => {
  it('and full afterwards', async () => {
    const first = await openIdle();
    await settleMany(first, 0, 12);
    await first.close();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const real = searchIndexFile(folder);
    const second = await open({
      file: {
        write: real.write,
        async read() {
          await gate;
          return real.read();
        },
      },
    });
    const ask = () =>
      second.get<{ partialResults: boolean; resources: unknown[] }>(
        '/discovery/search?query=weather',
      );
    const early = await ask();
    assert.equal(early.body.partialResults, true);
    release();
    await second.catalog.idle();
    const late = await ask();
    assert.equal(late.body.partialResults, false);
    assert.ok(late.body.resources.length > 0);
    await second.close();
  });
});
