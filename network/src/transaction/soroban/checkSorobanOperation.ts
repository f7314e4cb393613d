import { xdr } from '@stellar/stellar-sdk';
import type { NetworkSettings } from '../../settings/index.ts';
import { isAssetValid } from '../balances/index.ts';
import type { DiagnosticLog } from '../diagnostics/diagnosticLog.ts';
import type { InnerTransaction, SorobanOperationBody } from '../envelope/index.ts';
import { zeroResult } from '../result/transactionOutcome.ts';
import { isPersistentKey, isSorobanKey } from './footprintKeys.ts';

const EXTEND_MALFORMED = xdr.OperationResult.opInner(
  xdr.OperationResultTr.extendFootprintTtl(
    xdr.ExtendFootprintTtlResult.extendFootprintTtlMalformed(),
  ),
);
const RESTORE_MALFORMED = xdr.OperationResult.opInner(
  xdr.OperationResultTr.restoreFootprint(xdr.RestoreFootprintResult.restoreFootprintMalformed()),
);

/** Returns why a Soroban operation is not well formed; undefined if it is. */
export function checkSorobanOperation(
  body: SorobanOperationBody,
  tx: InnerTransaction,
  settings: NetworkSettings,
  log: DiagnosticLog,
): xdr.OperationResult | undefined {
  const footprint = tx.sorobanData?.resources.footprint;
  switch (body.type) {
    case 'invokeHostFunction':
      // stellar-core leaves the result of a malformed invocation unchanged.
      return isHostFunctionValid(body.invokeHostFunctionOp.hostFunction, settings, log)
        ? undefined
        : zeroResult('invokeHostFunction');
    case 'extendFootprintTtl':
      return footprint !== undefined &&
        isExtensionValid(footprint, body.extendFootprintTtlOp.extendTo, settings, log)
        ? undefined
        : EXTEND_MALFORMED;
    case 'restoreFootprint':
      return footprint !== undefined && isRestorationValid(footprint, log)
        ? undefined
        : RESTORE_MALFORMED;
  }
}

function isHostFunctionValid(
  hostFunction: xdr.HostFunction,
  { maxContractSize }: NetworkSettings,
  log: DiagnosticLog,
): boolean {
  if (hostFunction.type === 'hostFunctionTypeUploadContractWasm') {
    const size = hostFunction.wasm.length;
    if (size <= maxContractSize) return true;
    log.error(
      'sceBudget',
      'scecExceededLimit',
      'uploaded Wasm size exceeds network config maximum contract size',
      [size, maxContractSize],
    );
    return false;
  }
  if (hostFunction.type !== 'hostFunctionTypeCreateContract') return true;
  const preimage = hostFunction.createContract.contractIdPreimage;
  if (preimage.type !== 'contractIdPreimageFromAsset' || isAssetValid(preimage.fromAsset)) {
    return true;
  }
  log.error('sceValue', 'scecInvalidInput', 'invalid asset to create contract from');
  return false;
}

function isExtensionValid(
  { readOnly, readWrite }: xdr.LedgerFootprint,
  extendTo: number,
  { archival }: NetworkSettings,
  log: DiagnosticLog,
): boolean {
  if (readWrite.length > 0) {
    log.error(
      'sceStorage',
      'scecInvalidInput',
      'read-write footprint must be empty for ExtendFootprintTTL operation',
    );
    return false;
  }
  if (!readOnly.every(isSorobanKey)) {
    log.error(
      'sceStorage',
      'scecInvalidInput',
      'only entries with TTL (contract data or code entries) can have it extended',
    );
    return false;
  }
  const longest = archival.maxEntryTtl - 1;
  if (extendTo > longest) {
    log.error('sceStorage', 'scecInvalidInput', 'TTL extension is too large: {} > {}', [
      extendTo,
      longest,
    ]);
    return false;
  }
  return true;
}

function isRestorationValid(
  { readOnly, readWrite }: xdr.LedgerFootprint,
  log: DiagnosticLog,
): boolean {
  if (readOnly.length > 0) {
    log.error(
      'sceStorage',
      'scecInvalidInput',
      'read-only footprint must be empty for RestoreFootprint operation',
    );
    return false;
  }
  if (!readWrite.every(isPersistentKey)) {
    log.error('sceStorage', 'scecInvalidInput', 'only persistent Soroban entries can be restored');
    return false;
  }
  return true;
}
