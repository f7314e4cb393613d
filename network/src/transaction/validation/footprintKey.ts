import type { xdr } from '@stellar/stellar-sdk';
import type { NetworkSettings } from '../../settings/index.ts';
import { isAssetValid, isIssuer } from '../balances/index.ts';
import type { DiagnosticLog } from '../diagnostics/diagnosticLog.ts';
import { footprintKey } from '../soroban/index.ts';

/** True if the key is allowed in a footprint; otherwise logs why not. */
export function isFootprintKeyValid(
  key: xdr.LedgerKey,
  settings: NetworkSettings,
  log: DiagnosticLog,
): boolean {
  switch (key.type) {
    case 'account':
    case 'contractData':
    case 'contractCode':
      return isSizeWithin(key, settings, log);
    case 'trustline':
      if (!isTrustlineKeyValid(key.trustLine)) {
        log.error(
          'sceStorage',
          'scecInvalidInput',
          'transaction footprint contains invalid trustline asset',
        );
        return false;
      }
      return isSizeWithin(key, settings, log);
    default: {
      const wire: { readonly type: number } = key.toXdrObject();
      log.error(
        'sceStorage',
        'scecUnexpectedType',
        'transaction footprint contains unsupported ledger key type',
        [wire.type],
      );
      return false;
    }
  }
}

function isTrustlineKeyValid({ asset, accountId }: xdr.LedgerKeyTrustLine): boolean {
  return isAssetValid(asset) && asset.type !== 'assetTypeNative' && !isIssuer(accountId, asset);
}

function isSizeWithin(
  key: xdr.LedgerKey,
  { maxKeySize }: NetworkSettings,
  log: DiagnosticLog,
): boolean {
  const { size } = footprintKey(key);
  if (size <= maxKeySize) return true;
  log.error(
    'sceStorage',
    'scecExceededLimit',
    'transaction footprint key exceeds network config limit',
    [size, maxKeySize],
  );
  return false;
}
