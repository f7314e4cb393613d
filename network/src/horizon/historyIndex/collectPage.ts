import type { ClosedLedger, LedgerHistory } from '../../history/index.ts';
import {
  comparePositions,
  ledgerOfPosition,
  type Position,
  readPosition,
} from '../history/position.ts';
import type { Order, PageQuery, PageRecord } from '../http/paging.ts';

/** An item of a ledger; written only if it is on the page. */
interface HistoryRecord {
  readonly at: Position;
  write(): PageRecord;
}

/** Chooses the ledgers worth reading, in page order. */
export type ChooseLedgers = (
  from: number,
  to: number,
  order: Order,
) => Iterable<number> | AsyncIterable<number>;

/** The matching items of a ledger, oldest first. */
type RecordsOf = (ledger: ClosedLedger) => readonly HistoryRecord[];

/**
 * Number of text characters after which a page ends, whatever its `limit`; its link leads to the rest. 200 payments with their
 * transactions fit; 200 operations that each repeat a transaction of 100 KB do not.
 */
const PAGE_TEXT = 3 << 20;

/** Collects a page of history, ledger by ledger. @throws HorizonProblem */
export async function collectHistoryPage(
  history: LedgerHistory,
  query: PageQuery,
  recordsOf: RecordsOf,
  choose: ChooseLedgers,
): Promise<PageRecord[]> {
  const { order, limit } = query;
  const start = readPosition(history, query);
  const { oldestSequence, latestSequence } = history;
  const first = Math.min(Math.max(ledgerOfPosition(start), oldestSequence), latestSequence);
  const range = order === 'asc' ? [first, latestSequence] : [oldestSequence, first];
  const [from = first, to = first] = range;
  const page: PageRecord[] = [];
  const slice = new Slice();
  let left = PAGE_TEXT;
  for await (const sequence of choose(from, to, order)) {
    await slice.pause();
    const ledger = history.ledger(sequence);
    if (ledger === undefined) continue;
    const records = recordsOf(ledger);
    for (const record of order === 'asc' ? records : [...records].reverse()) {
      const place = comparePositions(record.at, start);
      if (order === 'asc' ? place <= 0 : place >= 0) continue;
      const written = record.write();
      page.push(written);
      left -= textLength(written.resource);
      if (page.length === limit || left <= 0) return page;
    }
  }
  return page;
}

/** Counts the characters of all texts in a value. */
function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const inner of Object.values(value)) sum += textLength(inner);
  return sum;
}

/** Chooses every ledger. */
export function* everyLedger(from: number, to: number, order: Order): Generator<number> {
  if (order === 'asc') for (let at = from; at <= to; at++) yield at;
  else for (let at = to; at >= from; at--) yield at;
}

/** Chooses a single ledger. */
export function onlyLedger(sequence: number): ChooseLedgers {
  return (from, to) => (sequence >= from && sequence <= to ? [sequence] : []);
}

/** Milliseconds of reading after which other requests are served. */
export const SLICE = 10;

/** Yields to other work from time to time. */
export class Slice {
  #began = performance.now();

  async pause(): Promise<void> {
    if (performance.now() - this.#began < SLICE) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#began = performance.now();
  }
}
