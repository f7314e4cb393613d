import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { isProcessAlive } from './processAlive.ts';

describe('a process counts as running', () => {
  it('while it exists', () => {
    assert.equal(isProcessAlive(process.pid, process.kill), true);
  });

  it('also when another user owns it', () => {
    const denied = Object.assign(new Error('denied'), { code: 'EPERM' });
    const kill = () => {
      throw denied;
    };
    assert.equal(isProcessAlive(1, kill), true);
  });

  it('not when it has ended', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '0']);
    assert.equal(isProcessAlive(pid, process.kill), false);
  });
});
