import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { openLockFile } from './lockFile.ts';

describe('the lock that windows share', () => {
  let folder = '';
  const path = () => join(folder, 'service.lock');
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lock-'));
  });
  beforeEach(() => rm(path(), { force: true }));
  after(() => rm(folder, { recursive: true }));

  const deadPid = () => spawnSync(process.execPath, ['-e', '0']).pid;

  it('is taken by one of many', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => openLockFile(folder).take()));
    assert.equal(all.filter((lock) => lock !== undefined).length, 1);
  });

  it('is not taken from a window that lives, and is free when it is given up', async () => {
    const lock = openLockFile(folder);
    const mine = await lock.take();
    assert.ok(mine);
    assert.equal(await lock.take(), undefined);
    await lock.release('of somebody else');
    assert.equal(await lock.take(), undefined);
    await lock.release(mine.token);
    assert.ok(await lock.take());
  });

  it('a stale one is healed, by one of many', async () => {
    const left = { pid: deadPid(), port: 4021, token: 'old', since: Date.now() };
    await writeFile(path(), JSON.stringify(left));
    const all = await Promise.all(Array.from({ length: 10 }, () => openLockFile(folder).take()));
    assert.ok(all.filter((lock) => lock !== undefined).length <= 1);
    assert.notEqual((await openLockFile(folder).read())?.token, 'old');
  });

  it('a start that never came to an end is given up after a minute', async () => {
    const since = Date.now();
    await writeFile(path(), JSON.stringify({ pid: process.pid, port: 0, token: 'old', since }));
    assert.equal(await openLockFile(folder, () => since + 59_000).take(), undefined);
    assert.ok(await openLockFile(folder, () => since + 61_000).take());
  });

  it('one that cannot be read is a stale one, but not while it is being written', async () => {
    await writeFile(path(), '{');
    assert.equal(await openLockFile(folder).take(), undefined);
    const old = new Date(Date.now() - 10_000);
    await utimes(path(), old, old);
    assert.ok(await openLockFile(folder).take());
  });
});
