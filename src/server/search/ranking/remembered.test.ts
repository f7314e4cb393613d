import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Remembered } from './remembered.ts';

describe('What was used last is remembered', () => {
  it('up to a number, the one that was used longest ago going first', () => {
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

  it('what is asked for and not there takes no place', () => {
    const remembered = new Remembered<number>(2);
    remembered.set('a', 1);
    assert.equal(remembered.get('b'), undefined);
    remembered.set('c', 3);
    assert.equal(remembered.get('a'), 1);
  });

  it('a value that is set again is used', () => {
    const remembered = new Remembered<number>(2);
    remembered.set('a', 1);
    remembered.set('b', 2);
    remembered.set('a', 4);
    remembered.set('c', 3);
    assert.deepEqual([remembered.get('a'), remembered.get('b')], [4, undefined]);
  });
});
