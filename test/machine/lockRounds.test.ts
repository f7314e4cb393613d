import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { judgeRound, type RoundCounts, runLockRounds } from './lockRounds.ts';
import type { RoundReport } from './roundRunner.ts';

const held = (pid: number): RoundReport => ({ pid, result: 'held' });
const lost = (pid: number): RoundReport => ({ pid, result: 'lost' });
const refused = (pid: number): RoundReport => ({ pid, result: 'refused' });
const failed = (pid: number): RoundReport => ({ pid, result: 'failed' });
const met = (pid: number, other: number | undefined): RoundReport => ({
  pid,
  result: 'met',
  met: other,
});

describe('A round of three processes and one lock', () => {
  const rounds: [string, ReturnType<typeof judgeRound>, RoundReport[]][] = [
    ['one that held it, two refused', 'one', [held(1), refused(2), refused(3)]],
    ['three that held it in turn', 'one', [held(1), held(2), held(3)]],
    ['one that met another which held it to the end', 'double', [held(1), met(2, 1), refused(3)]],
    ['one that met another which left at that moment', 'double', [held(1), met(2, undefined)]],
    ['one that met another which had lost the lock', 'one', [lost(1), met(2, 1), refused(3)]],
    ['the same after a third had held it before', 'one', [held(3), lost(1), met(2, 1)]],
    ['nobody', 'nobody', [refused(1), refused(2), refused(3)]],
    ['one that could not do its part', 'failed', [held(1), failed(2), refused(3)]],
    ['a double holder beside one that failed', 'double', [held(1), met(2, 1), failed(3)]],
  ];
  for (const [name, verdict, reports] of rounds) {
    it(`${verdict}: ${name}`, () => {
      assert.equal(judgeRound(reports), verdict);
    });
  }
});

describe('Rounds that end early', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-rounds-test-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('say which process ended and how, and the counts so far are kept', async () => {
    const runner = join(folder, 'runner.mjs');
    writeFileSync(
      runner,
      `process.on('message', ({ id }) => {
        if (id === 3) process.exit(7);
        process.send({ id, report: { pid: process.pid, result: 'held' } });
      });`,
    );
    const kept: RoundCounts[] = [];
    await assert.rejects(
      runLockRounds(10, { runner, onCounts: (counts) => kept.push({ ...counts }) }),
      { message: 'a process of the rounds ended with 7' },
    );
    assert.deepEqual(kept.at(-1), { rounds: 3, double: 0, nobody: 0, failed: 0 });
  });
});
