import type { xdr } from '@stellar/stellar-sdk';
import { entryKeyId, type LedgerKeyId, ledgerKeyId, ledgerKeyOf } from '../state/index.ts';
import { encodeXdr } from '../xdr/index.ts';
import { type Difference, firstDifference, show } from './difference.ts';

const ORDER: Record<xdr.LedgerEntryChange['type'], number> = {
  ledgerEntryState: 0,
  ledgerEntryCreated: 1,
  ledgerEntryUpdated: 2,
  ledgerEntryRemoved: 3,
  ledgerEntryRestored: 4,
};

interface SortedChange {
  readonly change: xdr.LedgerEntryChange;
  readonly id: LedgerKeyId;
  readonly bytes: Uint8Array;
}

/**
 * Compares two lists of changes as stellar-core compares its own captures: each sorted by key, then kind of change, then value,
 * because their original order comes from a hash table.
 */
export function changesDifference(
  expected: readonly xdr.LedgerEntryChange[],
  got: readonly xdr.LedgerEntryChange[],
  path: string,
): Difference | undefined {
  const left = sorted(expected);
  const right = sorted(got);
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = pairDifference(left[at], right[at], path);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function pairDifference(
  left: SortedChange | undefined,
  right: SortedChange | undefined,
  path: string,
): Difference | undefined {
  if (left !== undefined && right !== undefined && Buffer.compare(left.bytes, right.bytes) === 0)
    return undefined;
  if (left !== undefined && right?.id === left.id && left.change.type === right.change.type) {
    const at = `${path}{${nameOf(left)}}`;
    return firstDifference(left.change, right.change, at) ?? { path: at, expected: '', got: '' };
  }
  const only = left === undefined || (right !== undefined && right.id < left.id) ? right : left;
  return {
    path: `${path}{${only === undefined ? '' : nameOf(only)}}`,
    expected: only === left || left?.id === right?.id ? describe(left) : 'no such change',
    got: only === right || left?.id === right?.id ? describe(right) : 'no such change',
  };
}

function describe(change: SortedChange | undefined): string {
  return change === undefined ? 'no such change' : `${kind(change)} ${show(change.change.value)}`;
}

function nameOf(change: SortedChange): string {
  const key = ledgerKeyOf(change.id);
  return `${kind(change)} ${key.type} ${show(key.value)}`;
}

function kind({ change }: SortedChange): string {
  return change.type.replace('ledgerEntry', '').toUpperCase();
}

function sorted(changes: readonly xdr.LedgerEntryChange[]): SortedChange[] {
  return changes
    .map((change) => ({ change, id: keyOf(change), bytes: encodeXdr(change) }))
    .sort(
      (a, b) =>
        compareIds(a.id, b.id) ||
        ORDER[a.change.type] - ORDER[b.change.type] ||
        Buffer.compare(a.bytes, b.bytes),
    );
}

function compareIds(a: LedgerKeyId, b: LedgerKeyId): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The key of the entry that a change affects. */
export function keyOf(change: xdr.LedgerEntryChange): LedgerKeyId {
  return change.type === 'ledgerEntryRemoved'
    ? ledgerKeyId(change.removed)
    : entryKeyId(change.value);
}
