import { xdr } from '@stellar/stellar-sdk';
import { type LedgerKeyId, ledgerKeyOf } from '../../state/index.ts';
import { encodeXdr } from '../../xdr/index.ts';

const Change = xdr.LedgerEntryChange;

/** A restored entry, with its former value. */
export interface Restored {
  readonly id: LedgerKeyId;
  readonly entry: xdr.LedgerEntry;
  /** Whether it had already left the live state. */
  readonly fromArchive: boolean;
}

/**
 * The changes of a Soroban operation as meta. A restored entry is listed as RESTORED with its restored value, followed by the
 * operation's changes to it, if any (stellar-core `processOpLedgerEntryChanges`).
 */
export function restoredChanges(
  after: ReadonlyMap<LedgerKeyId, xdr.LedgerEntry | undefined>,
  before: (id: LedgerKeyId) => xdr.LedgerEntry | undefined,
  restored: ReadonlyMap<LedgerKeyId, Restored>,
  ledgerSeq: number,
  tellUnchanged: boolean,
): xdr.LedgerEntryChange[] {
  const changes: xdr.LedgerEntryChange[] = [];
  for (const [id, entry] of after) {
    changes.push(...changesOf(id, before(id), entry, restored.get(id), ledgerSeq));
  }
  if (tellUnchanged) {
    for (const { id, entry } of restored.values()) {
      if (!after.has(id)) changes.push(Change.ledgerEntryRestored(entry));
    }
  }
  return changes;
}

function changesOf(
  id: LedgerKeyId,
  before: xdr.LedgerEntry | undefined,
  after: xdr.LedgerEntry | undefined,
  restored: Restored | undefined,
  ledgerSeq: number,
): xdr.LedgerEntryChange[] {
  if (restored !== undefined) {
    if (after !== undefined && sameData(after, restored.entry)) {
      return [Change.ledgerEntryRestored(after)];
    }
    const old = restored.fromArchive ? restored.entry : (before ?? restored.entry);
    const back = new xdr.LedgerEntry({ ...old, lastModifiedLedgerSeq: ledgerSeq });
    return [Change.ledgerEntryRestored(back), endOf(id, after)];
  }
  if (before !== undefined) return [Change.ledgerEntryState(before), endOf(id, after)];
  return after === undefined ? [] : [Change.ledgerEntryCreated(after)];
}

function endOf(id: LedgerKeyId, after: xdr.LedgerEntry | undefined): xdr.LedgerEntryChange {
  return after === undefined
    ? Change.ledgerEntryRemoved(ledgerKeyOf(id))
    : Change.ledgerEntryUpdated(after);
}

function sameData(a: xdr.LedgerEntry, b: xdr.LedgerEntry): boolean {
  return a.data === b.data || Buffer.compare(encodeXdr(a.data), encodeXdr(b.data)) === 0;
}
