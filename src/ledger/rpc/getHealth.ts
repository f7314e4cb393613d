import { type RangeFieldsAsText, rangeFieldsAsText } from './ledgerRange.ts';
import type { RpcNetwork } from './rpcNetwork.ts';

/** Result of `getHealth`, according to the published OpenRPC: close times are texts. */
export interface HealthResult extends RangeFieldsAsText {
  readonly status: 'healthy';
  readonly ledgerRetentionWindow: number;
}

/** Always healthy: this network has no other that it could lag behind. */
export function getHealth({ service, retainedLedgers }: RpcNetwork): HealthResult {
  return {
    status: 'healthy',
    ...rangeFieldsAsText(service.history),
    ledgerRetentionWindow: retainedLedgers,
  };
}
