import type { xdr } from '@stellar/stellar-sdk';
import { encodeXdr } from '../xdr/index.ts';
import { changesDifference } from './changeList.ts';
import { type Difference, firstDifference } from './difference.ts';

/** The computed results of a ledger. */
export interface ComputedLedger {
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
