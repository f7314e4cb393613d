import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams } from './controlParams.ts';

/** Removes all pending faults. @throws RpcError */
export function clearFaults({ faults }: ControlNetwork, params: unknown): { cleared: number } {
  new ControlParams(params, []);
  return { cleared: faults.clear() };
}
