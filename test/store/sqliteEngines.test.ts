import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStore, STORE_FILE } from '../../src/server/store/index.ts';
import type { SqliteEngineName } from '../../src/server/store/sqlite/sqliteEngine.ts';
import { noPidNamespaces, PID_NAMESPACE } from '../support/namespaces.ts';
import { sqliteEngines } from './engines.ts';

const missing = sqliteEngines.find((build) => build.missing !== undefined)?.missing ?? false;
const WRITER = fileURLToPath(new URL('./writeForever.ts', import.meta.url));
const LOSER = fileURLToPath(new URL('./loseStore.ts', import.meta.url));
const QUIET = fileURLToPath(new URL('./openQuietly.ts', import.meta.url));
const INSERT = 'INSERT INTO rate_counts (key, window_start, count) VALUES (?, 0, ?)';
const WIDE = 2n ** 62n + 1n;

const folders: string[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-engines-'));
  folders.push(folder);
  return folder;
}

function start(program: string, args: readonly string[]) {
  const child = fork(program, args, { execArgv: ['--import', 'tsx'] });
  children.push(child);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const said = () => new Promise<unknown>((resolve) => child.once('message', resolve));
  return { child, ended, said };
}

const turns: readonly (readonly [SqliteEngineName, SqliteEngineName])[] = [
  ['wasm', 'node'],
  ['node', 'wasm'],
];

describe('Both builds of SQLite use one file', { skip: missing }, () => {
  for (const [first, second] of turns) {
    it(`which ${second} reads and continues after ${first}, and ${first} again`, async () => {
      const dataFolder = newFolder();
      for (const [turn, sqlite] of [first, second, first].entries()) {
        const database = await openStore({ databaseUrl: null, dataFolder, sqlite });
        const rows = await database.all('SELECT key, count FROM rate_counts ORDER BY key');
        assert.deepEqual(
          rows,
          Array.from({ length: turn }, (_, i) => ({ key: `row ${i}`, count: WIDE })),
        );
        await database.run(INSERT, [`row ${turn}`, WIDE]);
        await database.close();
      }
    });

    it(`and ${second} finds everything that ${first} committed before it was killed`, async () => {
      const dataFolder = newFolder();
      const writer = start(WRITER, [dataFolder, first]);
      let written = -1;
      writer.child.on('message', (count) => {
        written = Number(count);
        if (written >= 200) writer.child.kill('SIGKILL');
      });
      await writer.ended;
      const database = await openStore({ databaseUrl: null, dataFolder, sqlite: second });
      const rows = await database.all<{ key: string }>('SELECT key FROM rate_counts');
      const found = new Set(rows.map(({ key }) => key));
      for (let i = 0; i <= written; i += 1) assert.ok(found.has(`row ${i}`), `row ${i} is lost`);
      await database.close();
    });

    it(`and ${second} is refused while ${first} has it`, async () => {
      const dataFolder = newFolder();
      const database = await openStore({ databaseUrl: null, dataFolder, sqlite: first });
      await assert.rejects(openStore({ databaseUrl: null, dataFolder, sqlite: second }), {
        code: 'in_use',
      });
      await database.close();
    });
  }

  it('with the same settings', async () => {
    const settings = async (sqlite: SqliteEngineName) => {
      const dataFolder = newFolder();
      const database = await openStore({ databaseUrl: null, dataFolder, sqlite });
      const values = [];
      for (const name of [
        'journal_mode',
        'synchronous',
        'locking_mode',
        'foreign_keys',
        'wal_autocheckpoint',
        'temp_store',
        'page_size',
      ]) {
        values.push((await database.all(`PRAGMA ${name}`))[0]);
      }
      await database.close();
      return values;
    };
    assert.deepEqual(await settings('node'), await settings('wasm'));
  });

  it('and numbers have the same meaning in it', async () => {
    const results = async (sqlite: SqliteEngineName) => {
      const database = await openStore({ databaseUrl: null, dataFolder: null, sqlite });
      const [row] = await database.all(
        'SELECT 7 / ? AS quotient, typeof(?) AS whole, typeof(?) AS part, ? AS yes, ? AS wide, ? AS none',
        [2, 2 ** 53 - 1, 0.5, true, WIDE, null],
      );
      await database.close();
      return row;
    };
    const expected = {
      ...{ quotient: 3, whole: 'integer', part: 'real', yes: 1, wide: WIDE, none: null },
    };
    assert.deepEqual(await results('wasm'), expected);
    assert.deepEqual(await results('node'), expected);
  });
});

describe('A process that lost its SQLite file', () => {
  for (const { engine, name, missing: absent } of sqliteEngines) {
    for (const end of ['close', 'leave']) {
      it(`writes nothing to it when it ends (${name}, ${end})`, {
        skip: absent ?? false,
      }, async () => {
        const dataFolder = newFolder();
        const loser = start(LOSER, [dataFolder, engine, end]);
        assert.equal(await loser.said(), 'written');
        const file = join(dataFolder, STORE_FILE);
        // As another process on another machine adopts it: its lock goes, and the file changes.
        rmSync(`${file}.owner`, { recursive: true });
        const before = [file, `${file}-wal`].map((path) => readFileSync(path));
        const answer = loser.said();
        loser.child.send('go');
        assert.equal(await answer, 'in_use');
        assert.equal(await loser.ended, 0);
        assert.ok(existsSync(`${file}-wal`), 'the log was written back and removed');
        assert.deepEqual(
          [file, `${file}-wal`].map((path) => readFileSync(path)),
          before,
        );
      });
    }
  }
});

describe('node:sqlite', { skip: missing }, () => {
  it('is used by default, and prints none of its own warnings', async () => {
    const dataFolder = newFolder();
    const child = spawn(process.execPath, ['--import', 'tsx', QUIET, dataFolder], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let [printed, warned] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      warned += chunk.toString();
    });
    await new Promise((resolve) => child.once('close', resolve));
    assert.equal(printed.trim(), 'no lock folder');
    assert.match(warned, /ExperimentalWarning: Somebody else's feature/);
    assert.doesNotMatch(warned, /SQLite/);
  });

  it('keeps a file from a stopped container that another one adopts', {
    skip: noPidNamespaces,
  }, async () => {
    const dataFolder = newFolder();
    const holder = spawn(
      'unshare',
      [
        ...PID_NAMESPACE,
        ...[process.execPath, '--import', 'tsx', LOSER, dataFolder, 'node', 'close'],
      ],
      { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    );
    children.push(holder);
    const said = () => new Promise<unknown>((resolve) => holder.once('message', resolve));
    assert.equal(await said(), 'written');
    const inside = readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8').trim();
    process.kill(Number(inside), 'SIGSTOP');
    await assert.rejects(openStore({ databaseUrl: null, dataFolder, sqlite: 'node' }), {
      code: 'in_use',
      message: /another process has .*service\.db open.* Stop it/,
    });
    process.kill(Number(inside), 'SIGCONT');
    holder.send('go');
    assert.equal(await said(), 'in_use');
    const left = newFolder();
    cpSync(dataFolder, left, { recursive: true });
    const database = await openStore({ databaseUrl: null, dataFolder: left, sqlite: 'node' });
    assert.equal((await database.all('SELECT key FROM rate_counts')).length, 20);
    await database.close();
  });
});
