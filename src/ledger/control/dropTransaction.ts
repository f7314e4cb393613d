import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';

/** Removes a transaction that waits for a ledger; nobody is charged for it. @throws RpcError, LedgerServiceError */
export function dropTransaction(
  { service }: ControlNetwork,
  params: unknown,
): { dropped: boolean } {
  const hash = new ControlParams(params, ['hash']).text('hash').toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hash)) {
    throw invalid('hash must be the hash of a transaction: 64 hexadecimal digits');
  }
  return { dropped: service.dropWaiting(hash) > 0 };
}
