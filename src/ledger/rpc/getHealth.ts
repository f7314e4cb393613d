import { type RangeFieldsAsText, rangeFieldsAsText } from './ledgerRange.ts';
import { RpcError } from './rpcError.ts';
import type { RpcNetwork } from './rpcNetwork.ts';

/** Result of `getHealth`, as in the published OpenRPC document: close times are strings. */
export interface HealthResult extends RangeFieldsAsText {
  readonly status: 'healthy';
  readonly ledgerRetentionWindow: number;
}

/**
 * Healthy while ledgers are stored: there is no other node that this network could lag behind.
 * @throws RpcError if the newest ledger could not be stored, as Stellar RPC does if its ledgers are too old
 */
export function getHealth({ service, retainedLedgers }: RpcNetwork): HealthResult {
  if (service.fault !== undefined) throw new RpcError('internal', service.fault.message);
  return {
    status: 'healthy',
    ...rangeFieldsAsText(service.history),
    ledgerRetentionWindow: retainedLedgers,
  };
}
