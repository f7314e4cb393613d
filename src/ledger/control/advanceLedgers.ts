import { setImmediate } from 'node:timers/promises';
import { closedBy } from './closedBy.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams } from './controlParams.ts';

const MOST_LEDGERS = 1_000_000;
/** Milliseconds that ledgers may close for before others get their turn. */
const SLICE = 20;

/**
 * Closes as many ledgers, each with what waits and finds a place, or those that closed before the caller left.
 * @throws RpcError, LedgerServiceError
 */
export async function advanceLedgers(
  { service }: ControlNetwork,
  params: unknown,
  left?: AbortSignal,
): Promise<ClosedByControl> {
  const count = new ControlParams(params, ['count']).whole('count', [1, MOST_LEDGERS]);
  let end = performance.now() + SLICE;
  for (let closed = 1; closed < count; closed++) {
    service.closeLedger();
    if (performance.now() < end) continue;
    await setImmediate();
    if (left?.aborted) break;
    end = performance.now() + SLICE;
  }
  return closedBy(service.closeLedger());
}
