import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams } from './controlParams.ts';

/** Takes transactions and operations of every account without signatures, or no longer. @throws RpcError */
export function autoImpersonate(
  { service: { engine } }: ControlNetwork,
  params: unknown,
): { on: boolean } {
  engine.impersonation.everyone = new ControlParams(params, ['on']).flag('on');
  return { on: engine.impersonation.everyone };
}
