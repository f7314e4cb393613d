import { type TransactionTrace, traceTransaction as trace } from '../trace/index.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';

/** Explains a transaction in a closed ledger, found by its hash or that of a fee bump's inner transaction. @throws RpcError */
export function traceTransaction(
  { service, accountNames }: ControlNetwork,
  params: unknown,
): TransactionTrace {
  const hash = new ControlParams(params, ['hash']).transactionHash('hash');
  const found = service.history.transaction(hash);
  if (found === undefined) throw invalid(`no transaction with this hash is kept: ${hash}`);
  return trace(found, service.engine, accountNames);
}
