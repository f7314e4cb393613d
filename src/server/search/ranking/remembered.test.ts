import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Remembered } from './remembered.ts';

describe('The values used last are remembered', () => {
  it('up to a maximum number; the least recently used one is dropped first', () => {
    const remembered = new Remembered<number>(2);
    remembered.set('a', 1);
    remembered.set('b', 2);
    assert.deepEqual([remembered.get('a'), remembered.get('b')], [1, 2]);
    assert.equal(remembered.get('a'), 1);
    remembered.set('c', 3);
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => remembered.get(key)),
      [1, undefined, 3],
    );
  });

  it('a missing key that is looked up takes no place', () => {
    const remembered = new Remembered<number>(2);
    remembered.set('a', 1);
    assert.equal(remembered.get('b'), undefined);
    remembered.set('c', 3);
    assert.equal(remembered.get('a'), 1);
  });

  it('setting a value again counts as use', () => {
    const remembered = new Remembered<number>(2);
    remembered.set('a', 1);
    remembered.set('b', 2);
    remembered.set('a', 4);
    remembered.set('c', 3);
    assert.deepEqual([remembered.get('a'), remembered.get('b')], [4, undefined]);
  });
});
