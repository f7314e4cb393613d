import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Closers } from './session.ts';

describe('everything that a command opened is closed at its end', () => {
  it('in the opposite order, each once', async () => {
    const closed: string[] = [];
    const closers = new Closers();
    for (const name of ['ledger', 'facilitator', 'file']) {
      closers.add({ close: () => void closed.push(name) });
    }
    await closers.closeAll();
    await closers.closeAll();
    assert.deepEqual(closed, ['file', 'facilitator', 'ledger']);
  });

  it('even if some of it fails, and the first failure is reported', async () => {
    const closed: string[] = [];
    const closers = new Closers();
    closers.add({ close: () => void closed.push('ledger') });
    closers.add({
      close: async () => {
        throw new Error('second');
      },
    });
    closers.add({
      close: () => {
        throw new Error('first');
      },
    });
    await assert.rejects(closers.closeAll(), { message: 'first' });
    assert.deepEqual(closed, ['ledger']);
  });
});
