import type { ClosedLedger, LedgerHistory } from '../../history/index.ts';
import {
  comparePositions,
  ledgerOfPosition,
  type Position,
  readPosition,
} from '../history/position.ts';
import type { PageRecord } from '../http/page.ts';
import type { Order, PageQuery } from '../http/pageQuery.ts';

/** Something that happened in a ledger; written only when it is on the page. */
export interface HistoryRecord {
  readonly at: Position;
  write(): PageRecord;
}

/** Which ledgers are worth looking into, in the order of the walk. */
export type ChooseLedgers = (
  from: number,
  to: number,
  order: Order,
) => Iterable<number> | AsyncIterable<number>;

/** The matching items of a ledger, oldest first. */
export type RecordsOf = (ledger: ClosedLedger) => readonly HistoryRecord[];

/** Collects a page of the past, ledger by ledger. @throws HorizonProblem */
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
  for await (const sequence of choose(from, to, order)) {
    const ledger = history.ledger(sequence);
    if (ledger === undefined) continue;
    const records = recordsOf(ledger);
    for (const record of order === 'asc' ? records : [...records].reverse()) {
      const place = comparePositions(record.at, start);
      if (order === 'asc' ? place <= 0 : place >= 0) continue;
      page.push(record.write());
      if (page.length === limit) return page;
    }
  }
  return page;
}

/** Looks into all of them. */
export function* everyLedger(from: number, to: number, order: Order): Generator<number> {
  if (order === 'asc') for (let at = from; at <= to; at++) yield at;
  else for (let at = to; at >= from; at--) yield at;
}

/** Looks into one ledger. */
export function onlyLedger(sequence: number): ChooseLedgers {
  return (from, to) => (sequence >= from && sequence <= to ? [sequence] : []);
}
