import assert from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import fs, {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it, mock } from 'node:test';
import { fileURLToPath } from 'node:url';
import { authorizationKey } from '../../src/protocol/stellar/index.ts';
import { systemClock } from '../../src/server/index.ts';
import { openJournal } from '../../src/server/settlement/index.ts';
import { type Database, openStore, STORE_FILE, StoreError } from '../../src/server/store/index.ts';
import { openSqliteFile } from '../../src/server/store/sqlite/openSqlite.ts';
import type { SqliteEngineName } from '../../src/server/store/sqlite/sqliteEngine.ts';
import {
  MOUNT_NAMESPACE,
  noMounts,
  noPidNamespaces,
  PID_NAMESPACE,
} from '../support/namespaces.ts';
import { PAYER, paymentRequest } from '../support/payment.ts';
import { sqliteEngines } from './engines.ts';

const folders: string[] = [];
afterEach(() => {
  mock.restoreAll();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-embedded-'));
  folders.push(folder);
  return folder;
}

const insert = (database: Database, key: string) =>
  database.run('INSERT INTO rate_counts (key, window_start, count) VALUES (?, 0, 1)', [key]);
const keys = async (database: Database) =>
  (await database.all<{ key: string }>('SELECT key FROM rate_counts ORDER BY key')).map(
    ({ key }) => key,
  );

/** An error of the file system. */
function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

const WRITER = fileURLToPath(new URL('./writeForever.ts', import.meta.url));
const FILLER = fileURLToPath(new URL('./fillDisk.ts', import.meta.url));

/** A program of this folder in namespaces of its own; resolves with its first message, or with what it printed. */
function contained(before: readonly string[], program: string, args: readonly string[]) {
  const child = spawn(
    'unshare',
    [...before, process.execPath, '--import', 'tsx', program, ...args],
    { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  );
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    words += chunk.toString();
  });
  const said = new Promise<unknown>((resolve) => {
    child.once('message', resolve);
    child.once('exit', () => resolve(words));
  });
  return { child, said, kill: () => child.kill('SIGKILL') };
}

/** Every file of a folder, by name. */
function contents(folder: string): ReadonlyMap<string, Buffer> {
  const names = fs.readdirSync(folder).sort();
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

/** All tables of a store with their rows, whichever version wrote them. */
async function dump(folder: string, engine: SqliteEngineName): Promise<unknown> {
  const database = await openSqliteFile(join(folder, STORE_FILE), engine);
  const tables = await database.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
  );
  const rows = [];
  for (const { name } of tables) {
    rows.push([name, await database.all(`SELECT * FROM "${name}" ORDER BY 1`)]);
  }
  await database.close();
  return rows;
}

for (const { engine, name, missing } of sqliteEngines) {
  const open = (dataFolder: string) => openStore({ databaseUrl: null, dataFolder, sqlite: engine });

  describe(`The embedded store on ${name}`, { skip: missing ?? false }, () => {
    it('[finding: K1] is refused, with a message, to a second container on the same volume', {
      skip: noPidNamespaces,
    }, async () => {
      const folder = newFolder();
      const first = contained(PID_NAMESPACE, WRITER, [folder, engine]);
      assert.equal(await first.said, 0);
      const second = contained(PID_NAMESPACE, WRITER, [folder, engine]);
      assert.match(
        String(await second.said),
        /process \d+ .* holds .*\. Stop it, or choose another/,
      );
      second.kill();
      first.kill();
    });

    it('flushes writes to the disk within seconds, however small they are', async () => {
      const folder = newFolder();
      const database = await open(folder);
      const mark = 'written before the power fails';
      await database.run('CREATE TABLE marks (text TEXT NOT NULL)');
      await database.run('INSERT INTO marks VALUES (?)', [mark]);
      const inFile = (): boolean => readFileSync(join(folder, STORE_FILE)).includes(mark);
      for (const until = performance.now() + 60_000; !inFile() && performance.now() < until; ) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      assert.ok(inFile(), 'it is in the log alone');
      await database.close();
    });

    it('keeps its log below 20 MB however long writes continue', async () => {
      const folder = newFolder();
      const file = join(folder, STORE_FILE);
      const database = await openSqliteFile(file, engine);
      await database.run('CREATE TABLE blocks (id INTEGER PRIMARY KEY, content TEXT)');
      const content = 'x'.repeat(4_000);
      for (let id = 0; id < 7_000; id++) {
        await database.run('INSERT INTO blocks (content) VALUES (?)', [content]);
      }
      const bytes = statSync(`${file}-wal`).size;
      await database.close();
      assert.ok(bytes < 20_000_000, `${bytes} bytes`);
    });

    it('loses no write when its process is killed, and adopts the stale lock', async () => {
      const folder = newFolder();
      const child = fork(WRITER, [folder, engine], {
        execArgv: ['--import', 'tsx'],
      });
      let written = -1;
      child.on('message', (count) => {
        written = Number(count);
        if (written >= 500) child.kill('SIGKILL');
      });
      await new Promise((resolve) => child.once('exit', resolve));
      assert.ok(written >= 500);
      assert.ok(existsSync(join(folder, `${STORE_FILE}.owner`)), 'the lock was left behind');

      const database = await open(folder);
      assert.equal(database.frozen, undefined);
      const found = new Set(await keys(database));
      for (let i = 0; i <= written; i++) assert.ok(found.has(`row ${i}`), `row ${i} is lost`);
      await database.close();
    });

    it('belongs to one process at a time', async () => {
      const folder = newFolder();
      const database = await open(folder);
      await assert.rejects(open(folder), { code: 'in_use' });
      await database.close();
      await (await open(folder)).close();
      assert.deepEqual(
        fs.readdirSync(folder).filter((name) => !name.startsWith(`${STORE_FILE}-`)),
        [STORE_FILE],
      );
    });

    it('replaces an owner whose pid another process has by now', async () => {
      const folder = newFolder();
      await (await open(folder)).close();
      // This process runs, but it did not begin when the owner did.
      writeFileSync(join(folder, `${STORE_FILE}.owner`), `${process.pid} 1 abc`);
      const database = await open(folder);
      assert.equal(database.frozen, undefined);
      await database.close();
    });

    it('that is missing or empty is reported once it had settlements, and starts empty before that', async () => {
      const folder = newFolder();
      const file = join(folder, STORE_FILE);
      await (await open(folder)).close();
      rmSync(file);
      const database = await open(folder);
      assert.equal(database.frozen, undefined);
      const journal = openJournal(database, systemClock);
      const { id, key, request } = {
        id: 'one',
        key: authorizationKey(PAYER.address, 7n),
        request: paymentRequest(),
      };
      await journal.claim('an instance', { id, key, request, expirationLedger: 100, worstFee: 5n });
      await database.close();

      for (const [lose, word] of [
        [() => writeFileSync(file, ''), 'empty'],
        [() => rmSync(file), 'missing'],
      ] as const) {
        lose();
        const lost = await open(folder);
        assert.equal(lost.frozen?.code, 'corrupt');
        assert.match(
          lost.frozen?.message ?? '',
          new RegExp(`service\\.db is ${word}, though settlements`),
        );
        await assert.rejects(insert(lost, 'new'), { code: 'corrupt' });
        await lost.close();
      }
      rmSync(`${file}.settled`);
      const again = await open(folder);
      assert.equal(again.frozen, undefined);
      await again.close();
    });

    it('of a newer version is refused with a message, and nothing is written to it', async () => {
      const folder = newFolder();
      const database = await open(folder);
      await insert(database, 'kept');
      database.noteSettlements?.();
      await database.run("INSERT INTO schema_migrations (name) VALUES ('999-later')");
      await database.run('CREATE TABLE later (what TEXT)');
      const left = newFolder();
      // As a kill leaves it: all is in the log.
      fs.cpSync(folder, left, { recursive: true, filter: (path) => !/\.(owner|lock)$/.test(path) });
      await database.close();

      const before = contents(folder);
      await assert.rejects(open(folder), {
        code: 'newer',
        message:
          'a newer version of Svc x402 changed the store (999-later). Run that version, or choose another data folder with --data-dir.',
      });
      assert.deepEqual(contents(folder), before);

      await assert.rejects(open(left), { code: 'newer' });
      // SQLite itself writes its log back into the file; then both are the same.
      assert.deepEqual([...contents(left).keys()], [...before.keys()]);
      assert.deepEqual(await dump(left, engine), await dump(folder, engine));
    });

    it('is not considered lost after its process was killed in its first settlement', async () => {
      const folder = newFolder();
      const first = await open(folder);
      first.noteSettlements?.();
      await insert(first, 'only in the log');
      // As a kill leaves it: nothing is checkpointed.
      const left = newFolder();
      fs.cpSync(folder, left, { recursive: true, filter: (path) => !path.endsWith('.owner') });
      const database = await open(left);
      assert.equal(database.frozen, undefined);
      assert.deepEqual(await keys(database), ['only in the log']);
      await database.close();
      await first.close();
    });

    it('that is damaged reports it, refuses everything, and stays unchanged', async () => {
      const folder = newFolder();
      const database = await open(folder);
      for (let i = 0; i < 500; i++) await insert(database, `key ${i}`.padEnd(200, '.'));
      await database.close();
      const file = join(folder, STORE_FILE);
      const bytes = readFileSync(file);
      bytes.fill(0xa5, 4_096, statSync(file).size - 4_096);
      writeFileSync(file, bytes);

      const damaged = await open(folder);
      assert.equal(damaged.frozen?.code, 'corrupt');
      await assert.rejects(insert(damaged, 'new'), { code: 'corrupt' });
      await damaged.close();
      assert.deepEqual(readFileSync(file), bytes);
    });

    it('that was truncated anywhere reports it, and stays unchanged', async () => {
      const folder = newFolder();
      const database = await open(folder);
      for (let i = 0; i < 100; i++) await insert(database, `key ${i}`.padEnd(200, '.'));
      await database.close();
      const file = join(folder, STORE_FILE);
      const bytes = readFileSync(file);
      for (const length of [
        1,
        50,
        512,
        4_096,
        bytes.length >> 1,
        bytes.length - 512,
        bytes.length - 1,
      ]) {
        writeFileSync(file, bytes.subarray(0, length));
        const cut = await open(folder);
        assert.equal(cut.frozen?.code, 'corrupt', `${length} bytes`);
        await cut.close();
        assert.equal(statSync(file).size, length);
      }
      writeFileSync(file, bytes);
      const whole = await open(folder);
      assert.equal((await keys(whole)).length, 100);
      await whole.close();
    });

    it('that is not a database is reported, and left unchanged', async () => {
      const folder = newFolder();
      const file = join(folder, STORE_FILE);
      writeFileSync(file, 'a letter, not a database. '.repeat(400));
      const before = readFileSync(file);
      const strange = await open(folder);
      assert.equal(strange.frozen?.code, 'corrupt');
      await strange.close();
      assert.deepEqual(readFileSync(file), before);
    });

    it('in an unwritable folder reports it', async () => {
      const folder = newFolder();
      mock.method(fs, 'openSync', () => {
        throw systemError('EROFS');
      });
      mock.method(fs, 'mkdirSync', () => {
        throw systemError('EROFS');
      });
      mock.method(fs, 'writeFileSync', () => {
        throw systemError('EROFS');
      });
      const database = await open(join(folder, 'below'));
      assert.equal(database.frozen?.code, 'read_only');
      await assert.rejects(insert(database, 'new'), StoreError);
    });

    it('is readable only by its owner', async () => {
      const folder = newFolder();
      const database = await open(folder);
      await insert(database, 'a secret');
      for (const file of [STORE_FILE, `${STORE_FILE}-wal`]) {
        assert.equal(statSync(join(folder, file)).mode & 0o077, 0, file);
      }
      await database.close();
    });

    it('on a full disk refuses writes, and continues once there is space', {
      skip: noMounts,
    }, async () => {
      const { said } = contained(MOUNT_NAMESPACE, FILLER, [newFolder(), engine]);
      assert.deepEqual(await said, {
        refused: 'full',
        frozen: 'full',
        transaction: 'full',
        keptWhileFull: true,
        frozenWithSpace: null,
        keptAfterReopen: true,
      });
    });

    it('on a system without space refuses writes, keeps the rest, and continues once there is space', {
      skip: engine === 'node' ? 'node:sqlite does not write through fs' : false,
    }, async () => {
      const folder = newFolder();
      const database = await open(folder);
      await insert(database, 'before');
      const write = mock.method(fs, 'writeSync', () => {
        throw systemError('ENOSPC');
      });
      await assert.rejects(insert(database, 'refused'), { code: 'full' });
      for (const one of ['also refused', 'at once'].map((key) => insert(database, key))) {
        await assert.rejects(one, { code: 'full' });
      }
      await assert.rejects(
        database.transaction((within) => within.run('DELETE FROM rate_counts')),
        { code: 'full' },
      );
      assert.equal(database.frozen?.code, 'full');
      assert.deepEqual(await keys(database), ['before']);

      write.mock.restore();
      await insert(database, 'after');
      assert.equal(database.frozen, undefined);
      await database.close();
      const again = await open(folder);
      assert.deepEqual(await keys(again), ['after', 'before']);
      await again.close();
    });
  });
}
