import type { LedgerHistory } from '../history/index.ts';

/** From where to where the past can be asked for. */
export interface LedgerRange {
  readonly first: number;
  readonly last: number;
}

export function rangeOf(history: LedgerHistory): LedgerRange {
  return { first: history.oldestSequence, last: history.latestSequence };
}

/** The four fields by which most answers say how far the past reaches. */
export function rangeFields(history: LedgerHistory): {
  readonly latestLedger: number;
  readonly latestLedgerCloseTime: number;
  readonly oldestLedger: number;
  readonly oldestLedgerCloseTime: number;
} {
  return {
    latestLedger: history.latestSequence,
    latestLedgerCloseTime: history.latest.closeTime,
    oldestLedger: history.oldestSequence,
    oldestLedgerCloseTime: history.oldest.closeTime,
  };
}

/** As `rangeFields`, with the times as text: some methods write them so. */
export function rangeFieldsAsText(history: LedgerHistory): Record<string, unknown> {
  const fields = rangeFields(history);
  return {
    ...fields,
    latestLedgerCloseTime: String(fields.latestLedgerCloseTime),
    oldestLedgerCloseTime: String(fields.oldestLedgerCloseTime),
  };
}
