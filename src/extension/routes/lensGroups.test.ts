import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lensGroups } from './lensGroups.ts';

const at = (lines: readonly number[]) =>
  lensGroups(lines, (line) => line).map(({ first, count }) => [first, count]);

describe('[finding: E8] the lenses that offer a payment', () => {
  it('are above each route of a file with a few', () => {
    assert.deepEqual(at([1, 2, 9]), [
      [1, 1],
      [2, 1],
      [9, 1],
    ]);
    assert.deepEqual(at([]), []);
  });

  it('are one for each list of routes in a file with many', () => {
    const forty = Array.from({ length: 40 }, (_, index) => index + 1);
    assert.deepEqual(at(forty), [[1, 40]]);
    assert.deepEqual(at([...forty, 60, 80, 82]), [
      [1, 40],
      [60, 1],
      [80, 2],
    ]);
  });

  it('stay above each route where they are apart, however many they are', () => {
    const apart = Array.from({ length: 12 }, (_, index) => index * 5);
    assert.equal(at(apart).length, 12);
  });
});
