import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  createRateCounter,
  type Database,
  StoreError,
  type StoreErrorCode,
} from '../../src/server/store/index.ts';
import { engines } from './engines.ts';

const fails = (code: StoreErrorCode) => (error: unknown) =>
  error instanceof StoreError && error.code === code;

for (const engine of engines()) {
  describe(`The store on ${engine.name}`, { skip: engine.missing ?? false }, () => {
    let database: Database;
    let reopen: () => Promise<Database>;

    before(async () => {
      await engine.begin();
      ({ database, reopen } = await engine.open());
      await database.run(
        `CREATE TABLE things (name TEXT PRIMARY KEY, size BIGINT, data ${
          database.dialect === 'sqlite' ? 'BLOB' : 'BYTEA'
        })`,
      );
    });
    after(async () => {
      await database.close();
      await engine.end();
    });

    const names = async () =>
      (await database.all<{ name: string }>('SELECT name FROM things ORDER BY name')).map(
        ({ name }) => name,
      );

    it('returns written values with their types', async () => {
      const data = new Uint8Array([0, 1, 255]);
      await database.run('INSERT INTO things VALUES (?, ?, ?)', ["it's ?", 2n ** 62n + 1n, data]);
      const [row] = await database.all<{ name: string; size: bigint; data: Uint8Array }>(
        'SELECT * FROM things WHERE name = ?',
        ["it's ?"],
      );
      assert.equal(row?.size, 2n ** 62n + 1n);
      assert.deepEqual([...(row?.data ?? [])], [0, 1, 255]);
      await database.run('UPDATE things SET size = ?, data = NULL', [7]);
      const [changed] = await database.all('SELECT size, data FROM things');
      assert.deepEqual({ ...changed }, { size: 7, data: null });
      assert.equal(await database.run("DELETE FROM things WHERE name = 'it''s ?'"), 1);
    });

    it('returns the number of changed rows, and the rows with RETURNING', async () => {
      for (const name of ['a', 'b']) {
        await database.run('INSERT INTO things (name, size) VALUES (?, ?)', [name, 1]);
      }
      assert.equal(await database.run('UPDATE things SET size = size + 1'), 2);
      const rows = await database.all('DELETE FROM things WHERE name = ? RETURNING size', ['a']);
      assert.deepEqual(
        rows.map((row) => ({ ...row })),
        [{ size: 2 }],
      );
      assert.equal(await database.run('DELETE FROM things'), 1);
    });

    it('reports a conflict for an existing key', async () => {
      const insert = () => database.run("INSERT INTO things (name) VALUES ('x')");
      await insert();
      await assert.rejects(insert(), fails('conflict'));
      assert.equal(database.frozen, undefined);
      await database.run('DELETE FROM things');
    });

    it('keeps all of a transaction, or nothing', async () => {
      await assert.rejects(
        database.transaction(async (within) => {
          await within.run("INSERT INTO things (name) VALUES ('half')");
          throw new RangeError('stop');
        }),
        RangeError,
      );
      assert.deepEqual(await names(), []);
      const told = await database.transaction(async (within) => {
        await within.run("INSERT INTO things (name) VALUES ('one')");
        await within.run("INSERT INTO things (name) VALUES ('two')");
        return 2;
      });
      assert.equal(told, 2);
      assert.deepEqual(await names(), ['one', 'two']);
      await database.run('DELETE FROM things');
    });

    it('keeps others out of a transaction that waits between statements', async () => {
      let go = (): void => {};
      const gate = new Promise<void>((resolve) => {
        go = resolve;
      });
      const first = database.transaction(async (within) => {
        await within.run("INSERT INTO things (name) VALUES ('first')");
        await gate;
        throw new RangeError('rolled back');
      });
      const outside = database.run("INSERT INTO things (name) VALUES ('outside')");
      const second = database.transaction((within) =>
        within.run("INSERT INTO things (name) VALUES ('second')"),
      );
      setTimeout(go, 20);
      await assert.rejects(first, RangeError);
      await Promise.all([outside, second]);
      assert.deepEqual(await names(), ['outside', 'second']);
      await database.run('DELETE FROM things');
    });

    it('accepts a hundred changes at once', async () => {
      await database.run("INSERT INTO things (name, size) VALUES ('sum', 0)");
      await Promise.all(
        Array.from({ length: 100 }, () => database.run('UPDATE things SET size = size + 1')),
      );
      const [row] = await database.all<{ size: number }>('SELECT size FROM things');
      assert.equal(row?.size, 100);
      await database.run('DELETE FROM things');
    });

    it('keeps changes made at the same time as a conflicting one, in order', async () => {
      // A server takes statements on several connections.
      if (engine.shared) return;
      const insert = (key: string, count: number) =>
        database.run('INSERT INTO rate_counts (key, window_start, count) VALUES (?, 0, ?)', [
          key,
          count,
        ]);
      const made = await Promise.allSettled([
        insert('a', 1),
        insert('b', 2),
        insert('a', 3),
        database.run("UPDATE rate_counts SET count = count + 10 WHERE key = 'b'"),
        insert('c', 4),
        database.run('DELETE FROM no_such_table'),
      ]);
      assert.deepEqual(
        made.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.code)),
        [1, 1, 'conflict', 1, 1, 'failed'],
      );
      const rows = await database.all('SELECT key, count FROM rate_counts ORDER BY key');
      assert.deepEqual(rows, [
        { key: 'a', count: 1 },
        { key: 'b', count: 12 },
        { key: 'c', count: 4 },
      ]);
      await database.run('DELETE FROM rate_counts');
    });

    it('shows readers and transactions all earlier changes', async () => {
      if (engine.shared) return;
      const changes = ['one', 'two'].map((name) =>
        database.run('INSERT INTO things (name) VALUES (?)', [name]),
      );
      const read = names();
      const three = database.transaction(async (within) => {
        const seen = await within.all('SELECT name FROM things');
        await within.run("INSERT INTO things (name) VALUES ('three')");
        return seen.length;
      });
      changes.push(database.run("DELETE FROM things WHERE name = 'three'"));
      assert.deepEqual(await read, ['one', 'two']);
      assert.equal(await three, 2);
      await Promise.all(changes);
      assert.deepEqual(await names(), ['one', 'two']);
      await database.run('DELETE FROM things');
    });

    it('counts requests by key and window', async () => {
      const counter = createRateCounter(database);
      const now = 1_700_000_030_000;
      const counts = await Promise.all(
        Array.from({ length: 5 }, () => counter.hit('ip', 60_000, now)),
      );
      assert.deepEqual(counts.map(({ count }) => count).sort(), [1, 2, 3, 4, 5]);
      const resetAt = counts[0]?.resetAt ?? 0;
      assert.equal(resetAt % 60_000, 0);
      assert.ok(resetAt > now && resetAt <= now + 60_000);
      assert.equal((await counter.hit('other', 60_000, now)).count, 1);
      assert.equal((await counter.hit('ip', 60_000, resetAt)).count, 1);
      assert.equal((await counter.hit('ip', 60_000, resetAt + 300_000)).count, 1);
      const rows = await database.all('SELECT key FROM rate_counts');
      assert.equal(rows.length, 1);
    });

    it('opens again with its data, and its schema unchanged', async () => {
      await database.run("INSERT INTO things (name) VALUES ('kept')");
      await database.close();
      database = await reopen();
      if (engine.persistent) {
        assert.deepEqual(await names(), ['kept']);
      } else {
        await assert.rejects(names(), fails('failed'));
      }
      const applied = await database.all('SELECT name FROM schema_migrations');
      assert.ok(applied.length >= 3);
    });

    it('does not open if a later version changed it', { skip: !engine.persistent }, async () => {
      await database.run("INSERT INTO schema_migrations (name) VALUES ('999-later')");
      await database.close();
      await assert.rejects(reopen(), fails('newer'));
    });
  });
}
