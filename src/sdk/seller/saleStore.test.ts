import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileSales, memorySales, type SaleStore, type StoredSale } from './saleStore.ts';

function sale(id: string, parts: Partial<StoredSale> = {}): StoredSale {
  const response = {
    status: 200,
    headers: [['content-type', 'text/plain']] as const,
    body: 'YQ==',
  };
  return { ...{ id, fingerprint: `of ${id}`, soldAt: 1_000, response }, ...parts };
}

/** Which of these sales a store knows, and with a response. */
async function known(store: SaleStore, ...ids: string[]) {
  const found = await Promise.all(ids.map((id) => store.find(id)));
  return found.map((one) => (one === undefined ? 'no' : one.response ? 'whole' : 'without'));
}

describe('The sales of a seller', () => {
  const now = () => 1_000;

  it('are found with their responses', async () => {
    const store = memorySales({ now });
    await store.keep(sale('a'));
    assert.deepEqual(await store.find('a'), sale('a'));
    assert.equal(await store.find('b'), undefined);
  });

  it('the first one with an identifier stays', async () => {
    const store = memorySales({ now });
    await store.keep(sale('a'));
    await store.keep(sale('a', { fingerprint: 'of another' }));
    assert.equal((await store.find('a'))?.fingerprint, 'of a');
  });

  it('are remembered without their responses if there are too many of those', async () => {
    const store = memorySales({ now, maxResponses: 2 });
    for (const id of ['a', 'b', 'c']) await store.keep(sale(id));
    assert.deepEqual(await known(store, 'a', 'b', 'c'), ['without', 'whole', 'whole']);
  });

  it('are remembered without their responses if those are too long', async () => {
    const store = memorySales({ now, maxBytes: 100 });
    const response = { status: 200, headers: [], body: 'a'.repeat(60) };
    for (const id of ['a', 'b']) await store.keep(sale(id, { response }));
    assert.deepEqual(await known(store, 'a', 'b'), ['without', 'whole']);
    await store.keep(sale('c', { response: { ...response, body: 'a'.repeat(200) } }));
    assert.deepEqual(await known(store, 'a', 'b', 'c'), ['without', 'without', 'without']);
  });

  it('are forgotten, the oldest first, if there are too many, and when their time is over', async () => {
    let time = 1_000;
    const store = memorySales({ now: () => time, maxSales: 2, keptMs: 500 });
    for (const id of ['a', 'b', 'c']) await store.keep(sale(id));
    assert.deepEqual(await known(store, 'a', 'b', 'c'), ['no', 'whole', 'whole']);
    time = 1_501;
    assert.deepEqual(await known(store, 'b', 'c'), ['no', 'no']);
  });
});

describe('The sales of a seller in a file', () => {
  function inFolder(run: (path: string) => Promise<void>) {
    return async () => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-x402-sales-'));
      try {
        await run(join(folder, 'sales.jsonl'));
      } finally {
        rmSync(folder, { recursive: true });
      }
    };
  }
  const now = () => 1_000;

  it(
    'are there after a restart, also those sold at the same time',
    inFolder(async (path) => {
      const store = fileSales(path, { now });
      await Promise.all(['a', 'b', 'c'].map((id) => store.keep(sale(id))));
      const again = fileSales(path, { now });
      assert.deepEqual(await known(again, 'a', 'b', 'c', 'd'), ['whole', 'whole', 'whole', 'no']);
    }),
  );

  it(
    'outlive a line that a power cut left half written, and lines of others',
    inFolder(async (path) => {
      await fileSales(path, { now }).keep(sale('a'));
      appendFileSync(path, '5\nnull\n{"id":"b","fingerprint":5}\n{"id":"b","finger');
      const again = fileSales(path, { now });
      assert.deepEqual(await known(again, 'a', 'b'), ['whole', 'no']);
      await again.keep(sale('c'));
      assert.deepEqual(await known(fileSales(path, { now }), 'a', 'c'), ['whole', 'whole']);
    }),
  );

  it(
    'do not let the file grow without end',
    inFolder(async (path) => {
      const store = fileSales(path, { now, maxSales: 5 });
      for (let n = 0; n < 300; n++) await store.keep(sale(`sale-${n}`));
      const lines = readFileSync(path, 'utf8').trimEnd().split('\n').length;
      assert.ok(lines <= 105, `${lines} lines`);
      assert.deepEqual(await known(fileSales(path, { now }), 'sale-299', 'sale-0'), [
        'whole',
        'no',
      ]);
    }),
  );

  it(
    'cannot be looked up in a folder',
    inFolder(async (path) => {
      await assert.rejects(fileSales(join(path, '..')).find('a'), { code: 'EISDIR' });
    }),
  );
});
