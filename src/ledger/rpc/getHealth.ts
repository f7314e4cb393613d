import { rangeFields } from './ledgerRange.ts';
import type { RpcNetwork } from './rpcNetwork.ts';

/** Always healthy: there is no network beside this one that it could lag behind. */
export function getHealth({ service, retainedLedgers }: RpcNetwork): unknown {
  return {
    status: 'healthy',
    ...rangeFields(service.history),
    ledgerRetentionWindow: retainedLedgers,
  };
}
