/** Takes the lock of each round beside other processes, and reports what it found while it had it. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { FileLock, LockError } from '../../src/machine/index.ts';

export interface RoundOrder {
  /** Names the order in its answer. */
  readonly id: number;
  readonly folder: string;
  readonly waitMs: number;
  readonly holdMs: number;
}

export interface RoundAnswer {
  readonly id: number;
  readonly report: RoundReport;
}

/** What one process reports of a round. */
export interface RoundReport {
  readonly pid: number;
  /**
   * - `held`: it had the lock from beginning to end, and met nobody.
   * - `met`: it had the lock, and another process was inside.
   * - `lost`: it was stopped for so long that another process adopted the lock, and it noticed.
   */
  readonly result: 'held' | 'met' | 'lost' | 'refused' | 'failed';
  /** The process that it met; unknown if that one left at the same moment. */
  readonly met?: number | undefined;
}

async function round({ folder, waitMs, holdMs }: Omit<RoundOrder, 'id'>): Promise<RoundReport> {
  const { pid } = process;
  if (waitMs > 0) await pause(waitMs);
  let lock: FileLock;
  try {
    lock = await FileLock.acquire(`${folder}/lock`);
  } catch (error) {
    if (error instanceof LockError) return { pid, result: 'refused' };
    console.error(error);
    return { pid, result: 'failed' };
  }
  const inside = `${folder}/inside`;
  try {
    const file = openSync(inside, 'wx');
    writeSync(file, String(pid));
    closeSync(file);
  } catch (error) {
    const stillHeld = lock.held;
    lock.release();
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
      console.error(error);
      return { pid, result: 'failed' };
    }
    return stillHeld ? { pid, result: 'met', met: processInside(inside) } : { pid, result: 'lost' };
  }
  if (holdMs > 0) await pause(holdMs);
  if (!lock.held) return { pid, result: 'lost' };
  rmSync(inside);
  lock.release();
  return { pid, result: 'held' };
}

function processInside(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

process.on('message', ({ id, ...order }: RoundOrder) => {
  void round(order).then((report) => {
    const answer: RoundAnswer = { id, report };
    process.send?.(answer);
  });
});
