import { closedBy } from './closedBy.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';

/** A hundred years. */
const MOST_SECONDS = 3_155_760_000;
/** The last time that clients can read: later years have more than four digits. In milliseconds since 1970. */
const LAST_TIME = Date.UTC(9999, 11, 31);

/** Moves the network's time forward and closes a ledger at the new time. @throws RpcError, LedgerServiceError */
export function advanceTime({ service }: ControlNetwork, params: unknown): ClosedByControl {
  const seconds = new ControlParams(params, ['seconds']).whole('seconds', [1, MOST_SECONDS]);
  if (service.now() + seconds * 1_000 > LAST_TIME) {
    throw invalid('seconds must not go beyond the year 9999');
  }
  service.advanceTime(seconds);
  return closedBy(service.closeLedger());
}
