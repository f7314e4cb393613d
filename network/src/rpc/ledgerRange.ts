import type { LedgerHistory } from '../history/index.ts';

/** The oldest and the newest available ledger. */
export interface LedgerRange {
  readonly first: number;
  readonly last: number;
}

export function rangeOf(history: LedgerHistory): LedgerRange {
  return { first: history.oldestSequence, last: history.latestSequence };
}

/** The four fields of most results that describe how far the history reaches back. Times in seconds since 1970. */
export interface RangeFields {
  readonly latestLedger: number;
  readonly latestLedgerCloseTime: number;
  readonly oldestLedger: number;
  readonly oldestLedgerCloseTime: number;
}

/** Like `RangeFields`, with the times as strings. */
export interface RangeFieldsAsText {
  readonly latestLedger: number;
  readonly latestLedgerCloseTime: string;
  readonly oldestLedger: number;
  readonly oldestLedgerCloseTime: string;
}

export function rangeFields(history: LedgerHistory): RangeFields {
  return {
    latestLedger: history.latestSequence,
    latestLedgerCloseTime: history.latest.closeTime,
    oldestLedger: history.oldestSequence,
    oldestLedgerCloseTime: history.oldest.closeTime,
  };
}

/** Like `rangeFields`, for the methods that write the times as strings. */
export function rangeFieldsAsText(history: LedgerHistory): RangeFieldsAsText {
  const fields = rangeFields(history);
  return {
    ...fields,
    latestLedgerCloseTime: String(fields.latestLedgerCloseTime),
    oldestLedgerCloseTime: String(fields.oldestLedgerCloseTime),
  };
}
