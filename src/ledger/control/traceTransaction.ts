import { type TransactionTrace, traceTransaction as trace } from '../trace/index.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';

/** Explains a transaction that a ledger has closed, by its hash or that of the transaction in a fee bump. @throws RpcError */
export function traceTransaction(
  { service, accountNames }: ControlNetwork,
  params: unknown,
): TransactionTrace {
  const hash = new ControlParams(params, ['hash']).transactionHash('hash');
  const found = service.history.transaction(hash);
  if (found === undefined) throw invalid(`hash names no transaction that is kept: ${hash}`);
  return trace(found, service.engine, accountNames);
}
