import { closedBy } from './closedBy.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams } from './controlParams.ts';

/** A hundred years. */
const MOST_SECONDS = 3_155_760_000;

/** Moves the network's time forward and closes a ledger at the new time. @throws RpcError, LedgerServiceError */
export function advanceTime({ service }: ControlNetwork, params: unknown): ClosedByControl {
  const seconds = new ControlParams(params, ['seconds']).whole('seconds', [1, MOST_SECONDS]);
  service.advanceTime(seconds);
  return closedBy(service.closeLedger());
}
