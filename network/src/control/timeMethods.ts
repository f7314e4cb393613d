import { setImmediate } from 'node:timers/promises';
import type { TimeBoundsReading } from '../close/index.ts';
import { closedBy } from './closedBy.ts';
import type { ClosedByControl, CloseModeName } from './controlCalls.ts';
import type { ControlNetwork } from './controlNetwork.ts';
import { ControlParams, invalid } from './controlParams.ts';

/** Closes a ledger now, with the waiting transactions that fit. @throws RpcError, LedgerServiceError */
export function closeLedger({ service }: ControlNetwork, params: unknown): ClosedByControl {
  new ControlParams(params, []);
  return closedBy(service.closeLedger());
}

const MAX_LEDGERS = 1_000_000;
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
  const count = new ControlParams(params, ['count']).whole('count', [1, MAX_LEDGERS]);
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

/** A hundred years. */
const MAX_SECONDS = 3_155_760_000;
/** The last time that clients can read: later years have more than four digits. In milliseconds since 1970. */
const LAST_TIME = Date.UTC(9999, 11, 31);

/** Moves the network's time forward and closes a ledger at the new time. @throws RpcError, LedgerServiceError */
export function advanceTime({ service }: ControlNetwork, params: unknown): ClosedByControl {
  const seconds = new ControlParams(params, ['seconds']).whole('seconds', [1, MAX_SECONDS]);
  if (service.now() + seconds * 1_000 > LAST_TIME) {
    throw invalid('seconds must not go beyond the year 9999');
  }
  service.advanceTime(seconds);
  return closedBy(service.closeLedger());
}

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

const READINGS: readonly TimeBoundsReading[] = ['network', 'clock'];

/** Sets what time bounds are compared with, until the network stops. @throws RpcError */
export function setTimeBounds(
  { service }: ControlNetwork,
  params: unknown,
): { by: TimeBoundsReading } {
  const by = new ControlParams(params, ['by']).oneOf('by', READINGS);
  service.timeBounds = by;
  return { by };
}
