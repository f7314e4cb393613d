import { encodeState } from '../persistence/index.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams } from './controlParams.ts';

/** Returns the entire state, to be kept in a file and loaded into another network. @throws RpcError */
export function dumpState(
  { service, passphrase }: ControlNetwork,
  params: unknown,
): { passphrase: string; state: string } {
  new ControlParams(params, []);
  return { passphrase, state: encodeState(service.engine.state).toString('base64') };
}
