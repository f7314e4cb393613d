import type { CloseModeName } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';

const MODES: readonly CloseModeName[] = ['demand', 'interval', 'manual'];
const MILLISECONDS = [10, 3_600_000] as const;

/** Sets when ledgers close, until the network stops. @throws RpcError */
export function setCloseMode(
  { service }: ControlNetwork,
  params: unknown,
): { mode: CloseModeName } {
  const given = new ControlParams(params, ['mode', 'milliseconds']);
  const mode = given.oneOf('mode', MODES);
  if (mode === 'interval') {
    service.closeMode = { kind: mode, milliseconds: given.whole('milliseconds', MILLISECONDS) };
  } else {
    if (given.has('milliseconds')) throw invalid('milliseconds is only allowed in interval mode');
    service.closeMode = { kind: mode };
  }
  return { mode };
}
