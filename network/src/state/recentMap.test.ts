import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RecentMap } from './entryStore.ts';

const value = (n: number) => ({ n });

describe('Recently used values are remembered', () => {
  it('at least the last keys, but not all of them', () => {
    const recent = new RecentMap<number, { n: number }>(10);
    for (let n = 0; n < 1_000; n += 1) recent.set(n, value(n));
    for (let n = 990; n < 1_000; n += 1) assert.equal(recent.get(n)?.n, n);
    const known = Array.from({ length: 1_000 }, (_, n) => recent.get(n)).filter(Boolean);
    assert.ok(known.length <= 20, `${known.length} are known`);
  });

  it('as long as they are used again and again', () => {
    const recent = new RecentMap<number, { n: number }>(10);
    recent.set(-1, value(-1));
    for (let n = 0; n < 1_000; n += 1) {
      recent.set(n, value(n));
      assert.equal(recent.get(-1)?.n, -1);
    }
  });

  it('with their newest value, and not after they were deleted', () => {
    const recent = new RecentMap<number, { n: number }>(2);
    recent.set(1, value(1));
    recent.set(2, value(2));
    recent.set(3, value(3));
    recent.set(1, value(10));
    assert.equal(recent.get(1)?.n, 10);
    recent.delete(1);
    assert.equal(recent.get(1), undefined);
    recent.delete(2);
    assert.equal(recent.get(2), undefined);
  });
});
