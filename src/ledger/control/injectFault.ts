import { RPC_METHOD_NAMES } from '../rpc/index.ts';
import type { FaultKind } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';

const KINDS: readonly FaultKind[] = ['tryAgainLater', 'timeout', 'lost', 'late', 'error5xx', 'lag'];
/** The one method that answers so. */
const OWN_METHOD: Partial<Record<FaultKind, string>> = {
  tryAgainLater: 'sendTransaction',
  lag: 'getTransaction',
};
const WAITS: ReadonlySet<FaultKind> = new Set(['timeout', 'lost', 'late']);
const MOST_TIMES = 1_000_000;
const MOST_MILLISECONDS = 600_000;
const DEFAULT_MILLISECONDS = 1_000;

/** Makes the next answers of a method of Stellar RPC go wrong, as networks make them go wrong. @throws RpcError */
export function injectFault({ faults }: ControlNetwork, params: unknown): { pending: number } {
  const given = new ControlParams(params, ['method', 'kind', 'times', 'milliseconds']);
  const method = given.oneOf('method', RPC_METHOD_NAMES);
  const kind = given.oneOf('kind', KINDS);
  const own = OWN_METHOD[kind];
  if (own !== undefined && own !== method) throw invalid(`${kind} is a fault of ${own} alone`);
  const times = given.whole('times', [1, MOST_TIMES], 1);
  if (!WAITS.has(kind) && given.has('milliseconds')) {
    throw invalid(`milliseconds goes with ${[...WAITS].join(', ')}`);
  }
  const milliseconds = given.whole('milliseconds', [0, MOST_MILLISECONDS], DEFAULT_MILLISECONDS);
  return { pending: faults.add(method, { kind, milliseconds }, times) };
}
