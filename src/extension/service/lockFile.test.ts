import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openLockFile } from './lockFile.ts';

describe('The lock for starting the service', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lock-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is given to one of many windows', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => openLockFile(folder).take()));
    const taken = all.filter((permit) => permit !== undefined);
    assert.equal(taken.length, 1);
    taken[0]?.giveUp();
  });

  it('is free again when it is released, and the service’s note stays', async () => {
    const file = openLockFile(folder);
    const permit = await file.take();
    assert.ok(permit);
    assert.equal(await file.take(), undefined);
    await permit.note({ pid: 4242, port: 4021 });
    permit.giveUp();
    const note = await file.read();
    assert.deepEqual(
      { ...note, since: 0 },
      { pid: 4242, port: 4021, token: permit.token, since: 0 },
    );
    await file.forget('of another service');
    assert.ok(await file.read());
    await file.forget(permit.token);
    assert.equal(await file.read(), undefined);
    (await file.take())?.giveUp();
  });

  it('does not depend on what an earlier service left, readable or not', async () => {
    for (const left of [
      '{',
      JSON.stringify({ pid: process.pid, port: 0, token: 'old', since: 0 }),
    ]) {
      await writeFile(join(folder, 'service.lock'), left);
      const permit = await openLockFile(folder).take();
      assert.ok(permit);
      await permit.note({ pid: 4242, port: 0 });
      assert.equal((await openLockFile(folder).read())?.token, permit.token);
      permit.giveUp();
    }
  });
});
