import { setImmediate } from 'node:timers/promises';
import { closedBy } from './closedBy.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';

const MOST_LEDGERS = 1_000_000;
/** The last ledger to go to: numbers have 32 bits, and what is written then still needs later ones to live until. */
const LAST_LEDGER = 4_000_000_000;
/** Milliseconds that ledgers may close for before others get their turn. */
const SLICE = 20;

/**
 * Goes as many ledgers ahead. Each takes in what waits and finds a place. More than history keeps are skipped for the most
 * part; the others close, or those that closed before the caller left.
 * @throws RpcError, LedgerServiceError
 */
export async function advanceLedgers(
  { service }: Pick<ControlNetwork, 'service'>,
  params: unknown,
  left?: AbortSignal,
): Promise<ClosedByControl> {
  const count = new ControlParams(params, ['count']).whole('count', [1, MOST_LEDGERS]);
  if (count > LAST_LEDGER - service.history.latestSequence) {
    throw invalid(`count must not lead beyond ledger ${LAST_LEDGER}`);
  }
  let end = performance.now() + SLICE;
  for (let toCome = count; ; ) {
    const before = service.history.latestSequence;
    const ledger = service.closeNextOf(toCome);
    toCome -= ledger.sequence - before;
    if (toCome === 0) return closedBy(ledger);
    if (performance.now() < end) continue;
    await setImmediate();
    if (left?.aborted) return closedBy(ledger);
    end = performance.now() + SLICE;
  }
}
