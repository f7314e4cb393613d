import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DecodedLedgers } from './ledgerHistory.ts';

const MEBIBYTE = 1 << 20;

const ledger = (sequence: number, size: number) => ({
  sequence,
  bytes: new Uint8Array(size),
  released: 0,
  release() {
    this.released += 1;
  },
});

/** The sequences of those that are present, of the first `count`. */
function known(ledgers: DecodedLedgers<ReturnType<typeof ledger>>, count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1).filter(
    (sequence) => ledgers.get(sequence)?.sequence === sequence,
  );
}

describe('Few ledgers stay decoded', () => {
  it('small ones by their number', () => {
    const ledgers = new DecodedLedgers<ReturnType<typeof ledger>>();
    for (let sequence = 1; sequence <= 200; sequence += 1) ledgers.set(ledger(sequence, 1_000));
    const last = Array.from({ length: 128 }, (_, at) => at + 73);
    assert.deepEqual(known(ledgers, 200), last);
  });

  it('large ones by their bytes', () => {
    const ledgers = new DecodedLedgers<ReturnType<typeof ledger>>();
    for (let sequence = 1; sequence <= 20; sequence += 1) {
      ledgers.set(ledger(sequence, MEBIBYTE));
    }
    assert.deepEqual(known(ledgers, 20), [17, 18, 19, 20]);
    ledgers.delete(18);
    ledgers.set(ledger(3, MEBIBYTE));
    assert.deepEqual(known(ledgers, 20), [3, 17, 19, 20]);
  });

  it('the newest, whatever its size and whatever is read later', () => {
    const ledgers = new DecodedLedgers<ReturnType<typeof ledger>>();
    ledgers.set(ledger(9, 10 * MEBIBYTE));
    assert.deepEqual(known(ledgers, 9), [9]);
    for (let sequence = 1; sequence <= 8; sequence += 1) ledgers.set(ledger(sequence, MEBIBYTE));
    assert.deepEqual(known(ledgers, 9), [5, 6, 7, 8, 9]);
    ledgers.set(ledger(10, 1_000));
    assert.deepEqual(known(ledgers, 10), [6, 7, 8, 10]);
  });

  it('each once, in the form that was added last', () => {
    const ledgers = new DecodedLedgers<ReturnType<typeof ledger>>();
    const again = ledger(1, MEBIBYTE);
    for (let n = 0; n < 5; n += 1) ledgers.set(ledger(1, MEBIBYTE));
    ledgers.set(again);
    ledgers.set(ledger(2, MEBIBYTE));
    assert.deepEqual(known(ledgers, 2), [1, 2]);
    assert.equal(ledgers.get(1), again);
  });

  it('unchanged, except the one that was the newest before', () => {
    const ledgers = new DecodedLedgers<ReturnType<typeof ledger>>();
    const [first, second, older] = [ledger(7, 1_000), ledger(8, 1_000), ledger(3, 1_000)];
    ledgers.set(first);
    ledgers.set(older);
    assert.deepEqual([first.released, older.released], [0, 0]);
    ledgers.set(second);
    assert.deepEqual([first.released, second.released, older.released], [1, 0, 0]);
    assert.equal(ledgers.get(7), first);
  });
});
