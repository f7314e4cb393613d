import type { xdr } from '@stellar/stellar-sdk';
import type { SorobanHost } from '../../host/index.ts';
import type { NetworkSettings } from '../../settings/index.ts';
import { entryXdr } from '../../state/index.ts';
import type { DiagnosticLog } from '../diagnostics/diagnosticLog.ts';

/** True if an entry of this size is allowed to be read or written (`validateContractLedgerEntry`). */
export function isEntrySizeAllowed(
  { type }: Pick<xdr.LedgerKey | xdr.LedgerEntryData, 'type'>,
  size: number,
  settings: NetworkSettings,
  log: DiagnosticLog,
): boolean {
  if (type === 'contractCode' && size > settings.maxContractSize) {
    log.error(
      'sceBudget',
      'scecExceededLimit',
      'Wasm size exceeds network config maximum contract size',
      [size, settings.maxContractSize],
    );
    return false;
  }
  if (type === 'contractData' && size > settings.maxDataEntrySize) {
    log.error(
      'sceBudget',
      'scecExceededLimit',
      'ContractData size exceeds network config maximum size',
      [size, settings.maxDataEntrySize],
    );
    return false;
  }
  return true;
}

/** Bytes for which rent is charged; for contract code, this includes the memory of its compiled form. */
export function sizeForRent(entry: xdr.LedgerEntry, host: SorobanHost): number {
  const bytes = entryXdr(entry);
  return entry.data.type === 'contractCode' ? host.sizeForRent(bytes) : bytes.length;
}
