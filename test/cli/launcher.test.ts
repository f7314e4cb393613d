import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isProcessAlive } from '../../src/machine/index.ts';
import { temporaryFolder } from './cliProcess.ts';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const unix = process.platform !== 'win32';

describe('A network that npx started', { skip: unix ? false : 'needs a shell' }, () => {
  const folder = temporaryFolder();
  const services: number[] = [];
  const binaries = join(folder.path, 'node_modules', '.bin');
  mkdirSync(binaries, { recursive: true });
  symlinkSync(cli, join(binaries, 'svc-x402'));
  const background = 'svc-x402 ledger --in-memory --port 0 --data-dir data >/dev/null 2>&1 &';
  writeFileSync(
    join(folder.path, 'package.json'),
    JSON.stringify({ name: 'app', private: true, scripts: { pretest: background } }),
  );
  after(() => {
    for (const pid of services) if (alive(pid)) process.kill(pid, 'SIGKILL');
    folder.remove();
  });

  const alive = (pid: number): boolean => isProcessAlive(pid, process.kill);

  function run(program: string, ...args: string[]): ChildProcess {
    const { PATH, HOME } = process.env;
    // npm of the test run describes itself in the environment.
    return spawn(program, args, { cwd: folder.path, env: { PATH, HOME }, stdio: 'ignore' });
  }

  /** The process of the service, once it serves with this data folder. */
  async function serving(data: string): Promise<number> {
    const file = join(folder.path, data, 'service.json');
    for (const deadline = Date.now() + 30_000; ; await pause(50)) {
      try {
        const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number };
        services.push(pid);
        return pid;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  }

  async function gone(pid: number): Promise<boolean> {
    for (const deadline = Date.now() + 8_000; alive(pid); await pause(50)) {
      if (Date.now() > deadline) return false;
    }
    return true;
  }

  const options = ['svc-x402', 'ledger', '--in-memory', '--port', '0', '--data-dir'];

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    it(`ends when ${signal} ends npx`, async () => {
      const npx = run('npx', '--no-install', ...options, signal);
      const pid = await serving(signal);
      assert.notEqual(pid, npx.pid);
      npx.kill(signal);
      assert.equal(await gone(pid), true);
    });
  }

  it('stays when a script put it into the background', async () => {
    run('npm', 'run', 'pretest');
    const pid = await serving('data');
    await pause(3_000);
    assert.equal(alive(pid), true);
  });

  it('stays when a shell that was not npx ends', async () => {
    run(
      'sh',
      '-c',
      `"${process.execPath}" "${cli}" ledger --in-memory --port 0 --data-dir shell &`,
    );
    const pid = await serving('shell');
    await pause(3_000);
    assert.equal(alive(pid), true);
  });

  it('stays when npx runs a longer script that put it into the background', async () => {
    run('npx', '--no-install', '-c', background.replace('data ', 'script '));
    const pid = await serving('script');
    await pause(3_000);
    assert.equal(alive(pid), true);
  });
});
