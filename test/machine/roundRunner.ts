/** Takes the lock of each round beside other processes, and reports whether it ever had it together with one of them. */
import { closeSync, openSync, rmSync } from 'node:fs';
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
  readonly result: RoundResult;
}

export type RoundResult = 'held' | 'refused' | 'double' | 'failed';

async function round({ folder, waitMs, holdMs }: Omit<RoundOrder, 'id'>): Promise<RoundResult> {
  if (waitMs > 0) await pause(waitMs);
  let lock: FileLock;
  try {
    lock = await FileLock.acquire(`${folder}/lock`);
  } catch (error) {
    if (error instanceof LockError) return 'refused';
    console.error(error);
    return 'failed';
  }
  const inside = `${folder}/inside`;
  try {
    closeSync(openSync(inside, 'wx'));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
      console.error(error);
      return 'failed';
    }
    return 'double';
  }
  if (holdMs > 0) await pause(holdMs);
  if (!lock.held) return 'double';
  rmSync(inside);
  lock.release();
  return 'held';
}

process.on('message', ({ id, ...order }: RoundOrder) => {
  void round(order).then((result) => {
    const answer: RoundAnswer = { id, result };
    process.send?.(answer);
  });
});
