import { type RangeFieldsAsText, rangeFieldsAsText } from './ledgerRange.ts';
import { RpcError } from './rpcError.ts';
import type { RpcNetwork } from './rpcNetwork.ts';

/** Result of `getHealth`, as in the published OpenRPC document: close times are strings. */
export interface HealthResult extends RangeFieldsAsText {
  readonly status: 'healthy';
  readonly ledgerRetentionWindow: number;
}

/**
 * Healthy while ledgers are stored: this network has one node, so it is never behind another.
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
