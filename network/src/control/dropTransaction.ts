import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams } from './controlParams.ts';

/** Removes a waiting transaction; nobody is charged for it. @throws RpcError, LedgerServiceError */
export function dropTransaction(
  { service }: ControlNetwork,
  params: unknown,
): { dropped: boolean } {
  const hash = new ControlParams(params, ['hash']).transactionHash('hash');
  return { dropped: service.dropWaiting(hash) > 0 };
}
