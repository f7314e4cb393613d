import { NOMINAL_LEDGER_SECONDS } from '../../protocol/index.ts';
import type { Clock } from '../clock.ts';
import type { ClosedLedger } from './getLedgers.ts';

const SAMPLE_LEDGERS = 20;
const FRESH_MS = 60_000;

export interface CloseTimeEstimate {
  /** Returns the last measured time between ledgers in seconds, from 1 to 5. Never waits. */
  seconds(latestLedger: number): number;
}

/**
 * Estimates how fast ledgers close, measured over the last 20 and kept for a minute. A measurement never
 * delays a payment: it runs in the background, and the last value is used until it is done.
 *
 * The value is kept between 1 and 5. Buyers assume 5 seconds if they know nothing better, so on a network that closes ledgers
 * more slowly (the embedded one closes them on demand) their expirations must not look too far away. Ledgers of less than a
 * second still have timestamps in whole seconds.
 */
export function createCloseTimeEstimate(
  getLedgers: (start: number, limit: number) => Promise<readonly ClosedLedger[]>,
  clock: Clock,
): CloseTimeEstimate {
  let value = NOMINAL_LEDGER_SECONDS;
  let askedAt = Number.NEGATIVE_INFINITY;

  async function measure(latestLedger: number): Promise<void> {
    const start = Math.max(latestLedger - SAMPLE_LEDGERS + 1, 2);
    const ledgers = await getLedgers(start, SAMPLE_LEDGERS);
    const first = ledgers[0];
    const last = ledgers.at(-1);
    if (first === undefined || last === undefined || last.sequence <= first.sequence) return;
    const average = (last.closedAt - first.closedAt) / (last.sequence - first.sequence);
    value = Math.min(Math.max(Math.ceil(average), 1), NOMINAL_LEDGER_SECONDS);
  }

  return {
    seconds(latestLedger) {
      if (clock.elapsed() - askedAt > FRESH_MS) {
        askedAt = clock.elapsed();
        // A failed measurement leaves the last value: it only widens or narrows a tolerance.
        measure(latestLedger).catch(() => undefined);
      }
      return value;
    },
  };
}
