import type { xdr } from '@stellar/stellar-sdk';
import type { NetworkSettings } from '../../settings/index.ts';
import type { DiagnosticLog } from '../diagnostics/diagnosticLog.ts';
import type { InnerTransaction } from '../envelope/index.ts';
import { diskReadEntries, isPersistentKey } from '../soroban/index.ts';
import { isFootprintKeyValid } from './footprintKey.ts';

/**
 * True if the declared resources of a Soroban transaction are within the network's limits and its footprint is well formed
 * (stellar-core `TransactionFrame::checkSorobanResources`).
 */
export function areResourcesValid(
  tx: InnerTransaction,
  data: xdr.SorobanTransactionData,
  settings: NetworkSettings,
  log: DiagnosticLog,
): boolean {
  const { footprint } = data.resources;
  return (
    areAmountsWithin(tx, data, settings, log) &&
    footprint.readOnly.every((key) => isFootprintKeyValid(key, settings, log)) &&
    footprint.readWrite.every((key) => isFootprintKeyValid(key, settings, log)) &&
    isSizeWithin(tx, settings, log) &&
    areArchivedIndicesValid(data, log)
  );
}

function areAmountsWithin(
  tx: InnerTransaction,
  data: xdr.SorobanTransactionData,
  { compute, ledgerCost, ledgerCostExt }: NetworkSettings,
  log: DiagnosticLog,
): boolean {
  const { instructions, diskReadBytes, writeBytes, footprint } = data.resources;
  if (BigInt(instructions) > compute.txMaxInstructions) {
    log.error(
      'sceBudget',
      'scecExceededLimit',
      'transaction instructions resources exceed network config limit',
      [instructions, compute.txMaxInstructions],
    );
    return false;
  }
  const within = (value: number, limit: number, message: string): boolean => {
    if (value <= limit) return true;
    log.error('sceStorage', 'scecExceededLimit', message, [value, limit]);
    return false;
  };
  return (
    within(
      diskReadBytes,
      ledgerCost.txMaxDiskReadBytes,
      'transaction byte-read resources exceed network config limit',
    ) &&
    within(
      writeBytes,
      ledgerCost.txMaxWriteBytes,
      'transaction byte-write resources exceed network config limit',
    ) &&
    within(
      footprint.readOnly.length + footprint.readWrite.length,
      ledgerCostExt.txMaxFootprintEntries,
      'the number of entries in transaction footprint exceeds the network config limit',
    ) &&
    within(
      diskReadEntries(tx),
      ledgerCost.txMaxDiskReadEntries,
      'transaction entry-disk-read resources exceed network config limit',
    ) &&
    within(
      footprint.readWrite.length,
      ledgerCost.txMaxWriteLedgerEntries,
      'transaction entry-write resources exceed network config limit',
    )
  );
}

function isSizeWithin(
  { size }: InnerTransaction,
  { bandwidth }: NetworkSettings,
  log: DiagnosticLog,
): boolean {
  if (size <= bandwidth.txMaxSizeBytes) return true;
  log.error(
    'sceBudget',
    'scecExceededLimit',
    'total transaction size exceeds network config limit',
    [size, bandwidth.txMaxSizeBytes],
  );
  return false;
}

/** The entries to restore: ascending indices of persistent keys in the read-write footprint. */
function areArchivedIndicesValid(
  { ext, resources }: xdr.SorobanTransactionData,
  log: DiagnosticLog,
): boolean {
  if (ext.type === 'v0') return true;
  const keys = resources.footprint.readWrite;
  let last = -1;
  for (const index of ext.resourceExt.archivedSorobanEntries) {
    if (index <= last) {
      log.error(
        'sceStorage',
        'scecInvalidInput',
        'archivedSorobanEntries must be sorted in ascending order',
      );
      return false;
    }
    last = index;
    const key = keys[index];
    if (key === undefined) {
      log.error('sceStorage', 'scecInvalidInput', 'archivedSorobanEntries index is out of bounds', [
        index,
        keys.length,
      ]);
      return false;
    }
    if (!isPersistentKey(key)) {
      log.error(
        'sceStorage',
        'scecInvalidInput',
        'archivedSorobanEntries index points to a non-persistent entry',
        [index, ledgerEntryTypeValue(key)],
      );
      return false;
    }
  }
  return true;
}

function ledgerEntryTypeValue(key: xdr.LedgerKey): number {
  const wire: { readonly type: number } = key.toXdrObject();
  return wire.type;
}
