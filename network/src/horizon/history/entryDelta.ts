import type { xdr } from '@stellar/stellar-sdk';
import { entryKeyId, type LedgerKeyId } from '../../state/index.ts';

type EntryType = xdr.LedgerEntryData['type'];
type DataOf<T extends EntryType> = Extract<xdr.LedgerEntryData, { type: T }>;

/** The change of one entry: created if there is no `before`, removed if there is no `after`. */
export interface EntryDelta {
  readonly id: LedgerKeyId;
  readonly type: EntryType;
  readonly before: xdr.LedgerEntry | undefined;
  readonly after: xdr.LedgerEntry | undefined;
}

/** Pairs the changes of an operation, in the order of their keys (Go SDK `ingest`). */
export function deltasOf(changes: readonly xdr.LedgerEntryChange[]): EntryDelta[] {
  const deltas: EntryDelta[] = [];
  let last: xdr.LedgerEntry | undefined;
  for (const change of changes) {
    switch (change.type) {
      case 'ledgerEntryState':
        last = change.state;
        break;
      case 'ledgerEntryCreated':
        deltas.push(deltaOf(change.created, undefined, change.created));
        break;
      case 'ledgerEntryRestored':
        last = change.restored;
        deltas.push(deltaOf(change.restored, undefined, change.restored));
        break;
      case 'ledgerEntryUpdated':
        deltas.push(deltaOf(change.updated, last, change.updated));
        break;
      case 'ledgerEntryRemoved':
        if (last !== undefined) deltas.push(deltaOf(last, last, undefined));
        break;
    }
  }
  return deltas.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

/** An entry's data, if it is of the given type. */
export function dataOf<T extends EntryType>(
  entry: xdr.LedgerEntry | undefined,
  type: T,
): DataOf<T> | undefined {
  return entry !== undefined && isOf(entry.data, type) ? entry.data : undefined;
}

function isOf<T extends EntryType>(data: xdr.LedgerEntryData, type: T): data is DataOf<T> {
  return data.type === type;
}

function deltaOf(
  entry: xdr.LedgerEntry,
  before: xdr.LedgerEntry | undefined,
  after: xdr.LedgerEntry | undefined,
): EntryDelta {
  return { id: entryKeyId(entry), type: entry.data.type, before, after };
}
