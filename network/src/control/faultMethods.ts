import { RPC_METHOD_NAMES } from '../rpc/index.ts';
import type { FaultKind } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';

const KINDS: readonly FaultKind[] = ['tryAgainLater', 'timeout', 'lost', 'late', 'error5xx', 'lag'];
/** The only method in which a fault can occur. */
const OWN_METHOD: Partial<Record<FaultKind, string>> = {
  tryAgainLater: 'sendTransaction',
  lag: 'getTransaction',
};
const WAITS: ReadonlySet<FaultKind> = new Set(['timeout', 'lost', 'late']);
const MAX_TIMES = 1_000_000;
const MAX_MILLISECONDS = 600_000;
const DEFAULT_MILLISECONDS = 1_000;

/** Makes the next calls of a Stellar RPC method fail as they can fail on a public network. @throws RpcError */
export function injectFault({ faults }: ControlNetwork, params: unknown): { pending: number } {
  const given = new ControlParams(params, ['method', 'kind', 'times', 'milliseconds']);
  const method = given.oneOf('method', RPC_METHOD_NAMES);
  const kind = given.oneOf('kind', KINDS);
  const own = OWN_METHOD[kind];
  if (own !== undefined && own !== method) throw invalid(`${kind} is only available for ${own}`);
  const times = given.whole('times', [1, MAX_TIMES], 1);
  if (!WAITS.has(kind) && given.has('milliseconds')) {
    throw invalid(`milliseconds is only allowed with ${[...WAITS].join(', ')}`);
  }
  const milliseconds = given.whole('milliseconds', [0, MAX_MILLISECONDS], DEFAULT_MILLISECONDS);
  return { pending: faults.add(method, { kind, milliseconds }, times) };
}

/** Removes all pending faults. @throws RpcError */
export function clearFaults({ faults }: ControlNetwork, params: unknown): { cleared: number } {
  new ControlParams(params, []);
  return { cleared: faults.clear() };
}

/** Removes a waiting transaction; nobody is charged for it. @throws RpcError, LedgerServiceError */
export function dropTransaction(
  { service }: ControlNetwork,
  params: unknown,
): { dropped: boolean } {
  const hash = new ControlParams(params, ['hash']).transactionHash('hash');
  return { dropped: service.dropWaiting(hash) > 0 };
}
