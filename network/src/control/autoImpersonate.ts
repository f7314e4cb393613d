import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams } from './controlParams.ts';

/** Turns acceptance of every account's transactions and operations without signatures on or off. @throws RpcError */
export function autoImpersonate(
  { service: { engine } }: ControlNetwork,
  params: unknown,
): { on: boolean } {
  engine.impersonation.everyone = new ControlParams(params, ['on']).flag('on');
  return { on: engine.impersonation.everyone };
}
