import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Entry, ReceiptBook } from './receiptBook.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-x402-receipts-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function entry(nonce: bigint, changes: Partial<Entry> = {}): Entry {
  return {
    time: new Date(1_700_000_000_000 + Number(nonce)).toISOString(),
    call: 'c'.repeat(64),
    method: 'GET',
    url: 'http://127.0.0.1/paid',
    sent: {
      payer: 'CPAYER',
      nonce,
      asset: 'CASSET',
      payTo: 'GSELLER',
      amount: 100_000n,
      signedLedger: 10,
      expirationLedger: 20,
    },
    outcome: 'unknown',
    transaction: '',
    delivered: false,
    reported: false,
    policies: [],
    ...changes,
  };
}

describe('The book of receipts', () => {
  it('is empty before anything is written', async () => {
    assert.deepEqual(await new ReceiptBook(join(folder, 'none.jsonl')).inOrder(), []);
  });

  it('returns payments in their order, with the latest state of each, to every process', async () => {
    const path = join(folder, 'a', 'book.jsonl');
    const [one, other] = [new ReceiptBook(path), new ReceiptBook(path)];
    await one.keep(entry(1n));
    await other.keep(entry(-2n));
    await other.inOrder();
    const settled = entry(1n, { outcome: 'settled', transaction: 'ab'.repeat(32) });
    await one.keep(settled);
    assert.deepEqual(await one.inOrder(), [settled, entry(-2n)]);
    assert.deepEqual(await other.inOrder(), [settled, entry(-2n)]);
  });

  it('loses no other line if a process could not finish writing one', async () => {
    const path = join(folder, 'torn.jsonl');
    const book = new ReceiptBook(path);
    await book.keep(entry(1n));
    appendFileSync(path, readFileSync(path, 'utf8').trim().slice(0, 40));
    assert.deepEqual(await book.inOrder(), [entry(1n)]);
    await book.keep(entry(2n));
    assert.deepEqual(await book.inOrder(), [entry(1n), entry(2n)]);
    assert.deepEqual(await new ReceiptBook(path).inOrder(), [entry(1n), entry(2n)]);
  });
});
