import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { LedgerJournal } from './ledgerJournal.ts';
import { PersistenceError } from './persistenceError.ts';

const ledger = (sequence: number): Uint8Array => Buffer.from(`ledger ${sequence}`);

describe('the journal of closed ledgers', () => {
  let folder: string;
  const opened: LedgerJournal[] = [];
  const open = (first = 2): LedgerJournal => {
    const journal = new LedgerJournal(folder, first);
    opened.push(journal);
    return journal;
  };
  const journalOf = (last: number): LedgerJournal => {
    const journal = open();
    for (let sequence = 2; sequence <= last; sequence++) journal.append(ledger(sequence));
    return journal;
  };
  const files = (): string[] => readdirSync(folder).sort();
  const newest = (): string => join(folder, files().at(-1) ?? '');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'journal-'));
  });
  afterEach(() => {
    for (const journal of opened.splice(0)) journal.close();
    rmSync(folder, { recursive: true });
  });

  it('keeps every ledger for the next process', () => {
    journalOf(9);
    const again = open();
    assert.deepEqual({ first: again.first, last: again.last }, { first: 2, last: 9 });
    for (let sequence = 2; sequence <= 9; sequence++) {
      assert.deepEqual(again.read(sequence), ledger(sequence));
    }
    assert.equal(again.read(1), undefined);
    assert.equal(again.read(10), undefined);
  });

  it('has every complete ledger if the last write was cut short, and continues after it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(), (count, where) => {
        rmSync(folder, { recursive: true });
        const journal = journalOf(1 + count);
        journal.close();
        const size = statSync(newest()).size;
        truncateSync(newest(), where % (size + 1));
        const again = open();
        const { last } = again;
        for (let sequence = 2; sequence <= last; sequence++) {
          assert.deepEqual(again.read(sequence), ledger(sequence));
        }
        again.append(ledger(last + 1));
        again.close();
        const third = open();
        assert.equal(third.last, last + 1);
        assert.deepEqual(third.read(last + 1), ledger(last + 1));
        third.close();
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a file with anything other than ledgers at its end', () => {
    journalOf(3).close();
    appendFileSync(newest(), 'something else');
    assert.throws(
      () => open().last,
      (error) => error instanceof PersistenceError && error.code === 'DAMAGED',
    );
  });

  it('refuses an incomplete older file', () => {
    const journal = journalOf(4);
    journal.rotate();
    journal.append(ledger(5));
    journal.close();
    truncateSync(join(folder, files()[0] ?? ''), 10);
    assert.throws(
      () => open().read(2),
      (error) => error instanceof PersistenceError && error.code === 'DAMAGED',
    );
  });

  it('reads across its files', () => {
    const journal = journalOf(4);
    journal.rotate();
    journal.append(ledger(5));
    journal.rotate();
    journal.append(ledger(6));
    const again = open();
    const read = [2, 3, 4, 5, 6].map((sequence) => String(again.read(sequence)));
    assert.deepEqual(read, ['ledger 2', 'ledger 3', 'ledger 4', 'ledger 5', 'ledger 6']);
  });

  it('begins no new file while the newest is empty', () => {
    const journal = journalOf(3);
    journal.rotate();
    journal.rotate();
    assert.deepEqual(files(), ['ledgers-0000000002.xdr', 'ledgers-0000000004.xdr']);
  });

  it('deletes files whose ledgers are no longer needed, but never the newest', () => {
    const journal = journalOf(4);
    journal.rotate();
    journal.append(ledger(5));
    journal.trim(4);
    assert.equal(journal.first, 2);
    journal.trim(5);
    assert.equal(journal.first, 5);
    journal.trim(100);
    assert.equal(journal.first, 5);
    assert.deepEqual(files(), ['ledgers-0000000005.xdr']);
  });

  it('restarts at a later ledger, once the state before it is stored', () => {
    const journal = journalOf(4);
    journal.rotate();
    journal.append(ledger(5));
    let during: readonly string[] = [];
    journal.beginAt(500, () => {
      during = files();
    });
    assert.equal(during.length, 3);
    assert.deepEqual({ first: journal.first, last: journal.last }, { first: 500, last: 499 });
    journal.append(ledger(500));
    assert.deepEqual(files(), ['ledgers-0000000500.xdr']);
    assert.deepEqual(open(500).read(500), ledger(500));
    assert.equal(journal.read(5), undefined);
  });

  it('has its old content if it was cut short before the state was stored', () => {
    const journal = journalOf(4);
    journal.rotate();
    journal.append(ledger(5));
    const cut = (): never => {
      throw new Error('the disk is full');
    };
    assert.throws(() => journal.beginAt(500, cut));
    const again = open(5);
    assert.deepEqual({ first: again.first, last: again.last }, { first: 2, last: 5 });
    again.append(ledger(6));
    assert.deepEqual(open(5).read(6), ledger(6));
    assert.deepEqual(files(), ['ledgers-0000000002.xdr', 'ledgers-0000000005.xdr']);
  });

  it('starts again if it was cut short after the state was stored', () => {
    const journal = journalOf(4);
    const old = newest();
    const kept = `${old}.kept`;
    journal.beginAt(500, () => cpSync(old, kept));
    renameSync(kept, old);
    const again = open(500);
    assert.deepEqual({ first: again.first, last: again.last }, { first: 500, last: 499 });
    assert.deepEqual(files(), ['ledgers-0000000500.xdr']);
  });
});
