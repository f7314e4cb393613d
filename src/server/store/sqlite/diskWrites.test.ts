import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { DiskWrites } from './sqliteDatabase.ts';

describe('A write is flushed to the disk', () => {
  let steps: string[];
  let disk: DiskWrites;
  const noting = (step: string) => async () => {
    steps.push(step);
    throw new Error('the disk is full');
  };
  afterEach(() => mock.timers.reset());
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    steps = [];
    disk = new DiskWrites({ flushLog: noting('log'), checkpoint: noting('file') });
  });

  it('in the log after two seconds, in the file after two more without a write', () => {
    disk.noteWrite();
    mock.timers.tick(1_999);
    assert.deepEqual(steps, []);
    mock.timers.tick(1);
    assert.deepEqual(steps, ['log']);
    mock.timers.tick(2_000);
    assert.deepEqual(steps, ['log', 'file']);
    mock.timers.tick(60_000);
    assert.deepEqual(steps, ['log', 'file']);
  });

  it('without a checkpoint while other writes follow, which it would stop', () => {
    for (let ms = 0; ms < 20_000; ms += 100) {
      disk.noteWrite();
      mock.timers.tick(100);
    }
    assert.deepEqual(new Set(steps), new Set(['log']));
    assert.equal(steps.length, 10);
  });

  it('even after a step has failed', () => {
    disk.noteWrite();
    mock.timers.tick(2_000);
    mock.timers.tick(2_000);
    disk.noteWrite();
    mock.timers.tick(2_000);
    mock.timers.tick(2_000);
    assert.deepEqual(steps, ['log', 'file', 'log', 'file']);
  });

  it('no longer after the store was closed', () => {
    disk.noteWrite();
    disk.stop();
    mock.timers.tick(10_000);
    assert.deepEqual(steps, []);
  });
});
