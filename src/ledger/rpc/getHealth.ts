import { type RangeFieldsAsText, rangeFieldsAsText } from './ledgerRange.ts';
import type { RpcNetwork } from './rpcNetwork.ts';

/** Result of `getHealth`, as in the published OpenRPC document: close times are strings. */
export interface HealthResult extends RangeFieldsAsText {
  readonly status: 'healthy';
  readonly ledgerRetentionWindow: number;
}

/** Always healthy: there is no other node that this network could lag behind. */
export function getHealth({ service, retainedLedgers }: RpcNetwork): HealthResult {
  return {
    status: 'healthy',
    ...rangeFieldsAsText(service.history),
    ledgerRetentionWindow: retainedLedgers,
  };
}
