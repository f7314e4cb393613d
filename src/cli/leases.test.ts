import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { leasesEnded } from './session.ts';

describe('a service that an editor started', () => {
  it('keeps running while a window lives, and stops when the last one is gone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'leases-'));
    const window = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await writeFile(join(folder, String(window.pid)), '');
    await writeFile(join(folder, 'no process'), '');
    let over = false;
    const ended = leasesEnded(folder, 20).then(() => {
      over = true;
    });
    const keepRunning = setInterval(() => {}, 1_000);
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(over, false);
    window.kill('SIGKILL');
    await ended;
    clearInterval(keepRunning);
    await rm(folder, { recursive: true });
  });
});
