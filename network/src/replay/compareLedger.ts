import type { xdr } from '@stellar/stellar-sdk';
import { entryKeyId, type LedgerKeyId, ledgerKeyId, ledgerKeyOf } from '../state/index.ts';
import { encodeXdr } from '../xdr/index.ts';
import { type Difference, firstDifference, show } from './difference.ts';

/** The computed results of a ledger. */
interface ComputedLedger {
  readonly header: xdr.LedgerHeader;
  readonly hash: Uint8Array;
  readonly txProcessing: readonly xdr.TransactionResultMetaV1[];
  readonly upgradesProcessing: readonly xdr.UpgradeEntryMeta[];
}

/**
 * Compares all results of a recorded ledger, byte for byte, and reports the first difference. Inputs are not compared: the
 * transaction set, the hash of the bucket list, the evicted keys.
 *
 *
 * @param diagnostics whether diagnostic events, and therefore the host's metering, must be equal
 */
export function ledgerDifference(
  recorded: xdr.LedgerCloseMetaV2,
  computed: ComputedLedger,
  diagnostics: boolean,
): Difference | undefined {
  const { txProcessing, upgradesProcessing, ledgerHeader } = recorded;
  const inTransactions = listDifference(
    txProcessing,
    computed.txProcessing,
    'txProcessing',
    (expected, got, path) => transactionDifference(expected, got, path, diagnostics),
  );
  return (
    inTransactions ??
    listDifference(
      upgradesProcessing,
      computed.upgradesProcessing,
      'upgradesProcessing',
      upgradeDifference,
    ) ??
    valueDifference(ledgerHeader.header, computed.header, 'header') ??
    firstDifference(ledgerHeader.hash.value, computed.hash, 'header.hash')
  );
}

function transactionDifference(
  expected: xdr.TransactionResultMetaV1,
  got: xdr.TransactionResultMetaV1,
  path: string,
  diagnostics: boolean,
): Difference | undefined {
  return (
    valueDifference(expected.result, got.result, `${path}.result`) ??
    changesDifference(expected.feeProcessing, got.feeProcessing, `${path}.feeProcessing`) ??
    metaDifference(expected.txApplyProcessing, got.txApplyProcessing, path, diagnostics) ??
    listDifference(
      expected.postTxApplyFeeProcessing,
      got.postTxApplyFeeProcessing,
      `${path}.postTxApplyFeeProcessing`,
      valueDifference,
    )
  );
}

function metaDifference(
  expected: xdr.TransactionMeta,
  got: xdr.TransactionMeta,
  path: string,
  diagnostics: boolean,
): Difference | undefined {
  if (expected.type !== 'v4' || got.type !== 'v4') {
    return firstDifference(expected.type, got.type, `${path}.txApplyProcessing.type`);
  }
  const left = expected.v4;
  const right = got.v4;
  return (
    changesDifference(left.txChangesBefore, right.txChangesBefore, `${path}.txChangesBefore`) ??
    listDifference(left.operations, right.operations, `${path}.operations`, operationDifference) ??
    changesDifference(left.txChangesAfter, right.txChangesAfter, `${path}.txChangesAfter`) ??
    nullableDifference(left.sorobanMeta, right.sorobanMeta, `${path}.sorobanMeta`) ??
    listDifference(left.events, right.events, `${path}.events`, valueDifference) ??
    (diagnostics
      ? listDifference(
          left.diagnosticEvents,
          right.diagnosticEvents,
          `${path}.diagnosticEvents`,
          valueDifference,
        )
      : undefined)
  );
}

function operationDifference(
  expected: xdr.OperationMetaV2,
  got: xdr.OperationMetaV2,
  path: string,
): Difference | undefined {
  return (
    changesDifference(expected.changes, got.changes, `${path}.changes`) ??
    listDifference(expected.events, got.events, `${path}.events`, valueDifference)
  );
}

function upgradeDifference(
  expected: xdr.UpgradeEntryMeta,
  got: xdr.UpgradeEntryMeta,
  path: string,
): Difference | undefined {
  return (
    valueDifference(expected.upgrade, got.upgrade, `${path}.upgrade`) ??
    changesDifference(expected.changes, got.changes, `${path}.changes`)
  );
}

function valueDifference(
  expected: xdr.XdrValue,
  got: xdr.XdrValue,
  path: string,
): Difference | undefined {
  if (Buffer.compare(encodeXdr(expected), encodeXdr(got)) === 0) return undefined;
  return firstDifference(expected, got, path) ?? { path, expected: 'other bytes', got: '' };
}

function nullableDifference(
  expected: xdr.XdrValue | null,
  got: xdr.XdrValue | null,
  path: string,
): Difference | undefined {
  if (expected === null || got === null) return firstDifference(expected, got, path);
  return valueDifference(expected, got, path);
}

function listDifference<T>(
  expected: readonly T[],
  got: readonly T[],
  path: string,
  compare: (expected: T, got: T, path: string) => Difference | undefined,
): Difference | undefined {
  for (const [at, item] of expected.entries()) {
    const other = got[at];
    if (other === undefined) break;
    const difference = compare(item, other, `${path}[${at}]`);
    if (difference !== undefined) return difference;
  }
  return firstDifference(expected.length, got.length, `${path}.length`);
}

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
function changesDifference(
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
function keyOf(change: xdr.LedgerEntryChange): LedgerKeyId {
  return change.type === 'ledgerEntryRemoved'
    ? ledgerKeyId(change.removed)
    : entryKeyId(change.value);
}
