import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type LockHolder, thisHolder } from '../../common/machine/lock/lockHolder.ts';
import { markText } from '../../common/machine/lock/lockMark.ts';
import { FileLock, LockError } from '../../src/machine/index.ts';
import { noPidNamespaces, PID_NAMESPACE } from '../support/namespaces.ts';
import { runLockRounds } from './lockRounds.ts';

const PROGRAM = fileURLToPath(new URL('./holdLock.ts', import.meta.url));
const NODE = [process.execPath, '--import', 'tsx', PROGRAM];
const NAMESPACE = ['unshare', ...PID_NAMESPACE];
const onLinuxOnly = existsSync('/proc/self/stat') ? false : 'only Linux proves that a process died';

const code = (expected: string) => (error: unknown) =>
  error instanceof LockError && error.code === expected;

let folder: string;
let lock: string;
let children: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-lock-'));
  lock = join(folder, 'lock');
  children = [];
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Another process that takes the lock. */
function holder(before: readonly string[] = []) {
  const [command = '', ...args] = [...before, ...NODE, lock];
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  children.push(child);
  const next = () =>
    new Promise<string>((resolve, reject) => {
      child.once('message', (message) => resolve(String(message)));
      child.once('exit', (status) => reject(new Error(`it ended with ${status}`)));
    });
  const ask = (order: string) => {
    const answer = next();
    child.send({ do: order });
    return answer;
  };
  return { child, ask, said: next(), ended: new Promise((resolve) => child.once('exit', resolve)) };
}

/** The mark that a process left behind. */
function leave(left: Partial<LockHolder>, text?: string): void {
  mkdirSync(lock);
  writeFileSync(join(lock, 'left'), text ?? markText({ ...thisHolder(), ...left }, 3));
}

/** As a busy machine delays each timer, its delays are measured beside it: of a holder that is watched and then adopted. */
async function acquiredWithin(milliseconds: number): Promise<void> {
  const begun = performance.now();
  const since = (): number => performance.now() - begun;
  const same = pausesOfAdoption().then(since);
  const mine = await FileLock.acquire(lock);
  const taken = since();
  assert.ok(mine.held);
  mine.release();
  const late = Math.max(0, (await same) - LOOKS * LOOK_MS - SETTLE_MS);
  assert.ok(
    taken < milliseconds + late,
    `${Math.round(taken)} ms, pauses ${Math.round(late)} ms late`,
  );
}

const LOOKS = 32;
const LOOK_MS = 100;
const SETTLE_MS = 1_300;

async function pausesOfAdoption(): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) await pause(LOOK_MS);
  await pause(SETTLE_MS);
}

describe('A lock has one holder', () => {
  it('in one process too, and leaves nothing when it is released', async () => {
    const mine = await FileLock.acquire(lock);
    await assert.rejects(FileLock.acquire(lock), code('held'));
    mine.release();
    assert.equal(mine.held, false);
    (await FileLock.acquire(lock)).release();
    assert.deepEqual(readdirSync(folder), []);
  });

  it('among processes, and names it to the refused one', async () => {
    const other = holder();
    assert.equal(await other.said, 'held by me');
    await assert.rejects(FileLock.acquire(lock), {
      code: 'held',
      message: `process ${other.child.pid} holds ${folder}. Stop it, or choose another data folder with --data-dir.`,
    });
    assert.equal(await other.ask('write'), 'written');
  });

  it('among three processes that find a dead one at the same moment', async () => {
    const counts = await runLockRounds(60);
    assert.deepEqual(counts, { rounds: 60, double: 0, nobody: 0, failed: 0 });
  });

  it('and a holder of an earlier version is respected while it runs', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    children.push(other);
    writeFileSync(lock, `${other.pid}\n`);
    await assert.rejects(FileLock.acquire(lock), code('held'));
    const gone = new Promise((resolve) => other.once('exit', resolve));
    other.kill('SIGKILL');
    await gone;
    await acquiredWithin(1_000);
  });
});

describe('A dead holder is adopted within 5 seconds', () => {
  it('at once if it was killed in this PID namespace', { skip: onLinuxOnly }, async () => {
    const other = holder();
    await other.said;
    other.child.kill('SIGKILL');
    await other.ended;
    await acquiredWithin(1_000);
  });

  it('at once if another process has its pid by now', { skip: onLinuxOnly }, async () => {
    leave({ start: '1' });
    await acquiredWithin(1_000);
  });

  it('if the system does not reveal a reused pid, as on Windows and macOS', async () => {
    leave({ start: '', pidSpace: '' });
    await acquiredWithin(5_000);
  });

  it('if a power failure left an empty mark', async () => {
    leave({}, '');
    await acquiredWithin(5_000);
  });

  it('if it was in another PID namespace', { skip: noPidNamespaces }, async () => {
    const other = holder(NAMESPACE);
    assert.equal(await other.said, 'held by me');
    other.child.kill('SIGKILL');
    await other.ended;
    await acquiredWithin(5_000);
  });
});

describe('A live holder keeps its lock', () => {
  it('against processes in other PID namespaces', { skip: noPidNamespaces }, async () => {
    const [first, second] = [holder(NAMESPACE), holder(NAMESPACE)];
    const said = (await Promise.all([first.said, second.said])).sort();
    assert.match(said[0] ?? '', /^held by me$/);
    assert.match(said[1] ?? '', /^held: process \d+ .* holds .*\. Stop it, or choose another/);
  });

  it('while it is stopped, if the kernel knows it', { skip: onLinuxOnly }, async () => {
    const other = holder();
    await other.said;
    other.child.kill('SIGSTOP');
    await assert.rejects(FileLock.acquire(lock), code('held'));
  });
});

describe('A holder that lost its lock', () => {
  it('notices before it writes again', { skip: noPidNamespaces }, async () => {
    const other = holder(NAMESPACE);
    await other.said;
    const stopped = hostPidOfChild(other.child);
    process.kill(stopped, 'SIGSTOP');
    const mine = await FileLock.acquire(lock);
    const answer = other.ask('write');
    process.kill(stopped, 'SIGCONT');
    assert.equal(await answer, 'lost');
    assert.ok(mine.held);
    await other.child.send({ do: 'release' });
    assert.ok(mine.held);
    mine.release();
  });
});

describe('A lock does not keep a process', () => {
  it('from ending', async () => {
    const other = holder();
    await other.said;
    other.child.send({ do: 'disconnect' });
    assert.equal(await other.ended, 0);
  });
});

/** The process inside the namespace, by its pid outside. */
function hostPidOfChild({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
}
