import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FolderLock } from './folderLock.ts';
import { PersistenceError } from './persistenceError.ts';

const inUse = (error: unknown): boolean =>
  error instanceof PersistenceError && error.code === 'FOLDER_IN_USE';

describe('a data folder belongs to one process at a time', () => {
  let folder: string;
  let other: ChildProcess | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lock-'));
  });
  afterEach(() => {
    other?.kill();
    rmSync(folder, { recursive: true });
  });

  it('and to one network in it', () => {
    const lock = FolderLock.acquire(folder);
    assert.throws(() => FolderLock.acquire(folder), inUse);
    lock.release();
    FolderLock.acquire(folder).release();
    assert.equal(existsSync(join(folder, 'lock')), false);
  });

  it('while that one runs', () => {
    other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    writeFileSync(join(folder, 'lock'), `${other.pid}\n`);
    assert.throws(() => FolderLock.acquire(folder), inUse);
  });

  it('and is free again when it ended without saying so', async () => {
    other = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => other?.on('exit', resolve));
    writeFileSync(join(folder, 'lock'), `${other.pid}\n`);
    FolderLock.acquire(folder).release();
  });

  it('also where another process has its id by now', {
    skip: !existsSync('/proc/self/stat'),
  }, () => {
    other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    writeFileSync(join(folder, 'lock'), `${other.pid} 1\n`);
    FolderLock.acquire(folder).release();
  });

  it('and is free again when the lock says nothing', () => {
    writeFileSync(join(folder, 'lock'), '');
    FolderLock.acquire(folder).release();
  });
});
