import { setImmediate } from 'node:timers/promises';
import { closedBy } from './closedBy.ts';
import type { ClosedByControl } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';

const MOST_LEDGERS = 1_000_000;
/**
 * The last ledger that can be reached: sequence numbers have 32 bits, and entries written then need later ones for their TTL.
 */
const LAST_LEDGER = 4_000_000_000;
/** Milliseconds for which ledgers close before other work gets a turn. */
const SLICE = 20;

/**
 * Goes ahead by a number of ledgers. Each includes the waiting transactions that fit. If there are more ledgers than history
 * keeps, most are skipped. Stops early when the caller disconnects.
 * @throws RpcError, LedgerServiceError
 */
export async function advanceLedgers(
  { service }: Pick<ControlNetwork, 'service'>,
  params: unknown,
  left?: AbortSignal,
): Promise<ClosedByControl> {
  const count = new ControlParams(params, ['count']).whole('count', [1, MOST_LEDGERS]);
  if (count > LAST_LEDGER - service.history.latestSequence) {
    throw invalid(`count must not go beyond ledger ${LAST_LEDGER}`);
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
