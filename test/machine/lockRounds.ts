import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { thisHolder } from '../../src/machine/lock/lockHolder.ts';
import { markText } from '../../src/machine/lock/lockMark.ts';
import type { RoundOrder, RoundResult } from './roundRunner.ts';

export interface RoundCounts {
  rounds: number;
  /** Rounds in which two processes had the lock at once. */
  double: number;
  /** Rounds in which nobody got it. */
  nobody: number;
  failed: number;
}

/** Lets three processes find the lock of a dead process at the same moment, round after round. */
export async function runLockRounds(rounds: number): Promise<RoundCounts> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-rounds-'));
  const program = fileURLToPath(new URL('./roundRunner.ts', import.meta.url));
  const children = Array.from({ length: 3 }, () =>
    fork(program, { execArgv: ['--import', 'tsx'] }),
  );
  // A process that has ended, and whose pid is this system's own.
  const dead = { ...thisHolder(), pid: spawnSync(process.execPath, ['-e', '0']).pid, start: '1' };
  const counts: RoundCounts = { rounds: 0, double: 0, nobody: 0, failed: 0 };
  try {
    for (; counts.rounds < rounds; counts.rounds += 1) {
      mkdirSync(join(folder, 'lock'), { recursive: true });
      writeFileSync(join(folder, 'lock', randomBytes(12).toString('hex')), markText(dead, 7));
      const results = await Promise.all(
        children.map((child) =>
          answer(child, { folder, waitMs: randomInt(3), holdMs: randomInt(4) }),
        ),
      );
      if (results.includes('double')) {
        counts.double += 1;
        rmSync(join(folder, 'lock'), { recursive: true, force: true });
        rmSync(join(folder, 'inside'), { force: true });
      }
      if (results.includes('failed')) counts.failed += 1;
      if (!results.includes('held') && !results.includes('double')) counts.nobody += 1;
    }
    return counts;
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function answer(child: ChildProcess, order: RoundOrder): Promise<RoundResult> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('a process of the rounds ended'));
    child.once('exit', ended);
    child.once('message', (result) => {
      child.off('exit', ended);
      resolve(result as RoundResult);
    });
    child.send(order);
  });
}
