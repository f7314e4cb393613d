import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { giveBackAtRest } from './giveBackAtRest.ts';

const EVERY_MS = 50;
const PATIENCE_MS = 20_000;
const usedBytes = (): number => getHeapStatistics().used_heap_size;

/** Waits until it holds. A busy machine may take long, never the check itself. */
async function until(holds: () => boolean): Promise<boolean> {
  const end = performance.now() + PATIENCE_MS;
  while (!holds()) {
    if (performance.now() > end) return false;
    await pause(EVERY_MS);
  }
  return true;
}

/** Leaves behind about 30 MB that V8 has no reason to collect at once. */
function leaveGarbage(): number {
  const garbage = Array.from({ length: 500_000 }, (_, at) => ({ at, text: `${at}` }));
  return garbage.length;
}

describe('An idle process returns memory', () => {
  const closers: { close(): void }[] = [];
  const opened = <T extends { close(): void }>(one: T): T => {
    closers.push(one);
    return one;
  };
  after(() => {
    for (const one of closers) one.close();
  });

  it('collects the garbage of its start', async () => {
    leaveGarbage();
    const before = usedBytes();
    const watch = opened(giveBackAtRest({ everyMs: EVERY_MS }));
    assert.equal(await until(() => usedBytes() < before - 10e6), true);
    watch.close();
  });

  it('once, and again after each period of work, but never during it', (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let collected = 0;
    const collect = (): void => {
      collected += 1;
    };
    let used = 0;
    const watch = opened(giveBackAtRest({ everyMs: EVERY_MS, collect, utilization: () => used }));
    const looksAt = (utilization: number): number => {
      used = utilization;
      t.mock.timers.tick(10 * EVERY_MS);
      return collected;
    };
    assert.equal(looksAt(1), 0);
    assert.equal(looksAt(0.01), 1);
    // An occasional request is neither work nor rest.
    assert.equal(looksAt(0.05), 1);
    assert.equal(looksAt(0.01), 1);
    assert.equal(looksAt(0.2), 1);
    assert.equal(looksAt(0.05), 1);
    assert.equal(looksAt(0.01), 2);
    watch.close();
  });
});
