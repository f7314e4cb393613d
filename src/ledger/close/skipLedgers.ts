import type { LedgerEngine } from './ledgerEngine.ts';
import type { Validator } from './ledgerValue.ts';
import { nextLedger } from './nextLedger.ts';
import { proposeSet } from './proposal/proposeSet.ts';

/**
 * Brings the state to a later ledger as if every ledger up to it had closed without transactions. Closes only a few of
 * them. Expired entries leave in one, in the order and number in which the ledgers between would have evicted them. Of the
 * ledgers that note the size of the state, only those close whose notes are still kept at the end.
 *
 * No client sees these ledgers. Each header names the previous one that closed; the numbers between have no ledger.
 */
export function skipLedgers(
  engine: LedgerEngine,
  last: number,
  closeTime: bigint,
  validator: Validator,
): void {
  for (const stop of stops(engine, last)) {
    const { header } = engine.state;
    const after = header.ledgerSeq;
    if (stop <= after) continue;
    const none = proposeSet([], header, engine.settings());
    const standsFor = { after, last: stop };
    nextLedger(engine, none, closeTime, validator, { standsFor }).commit();
  }
}

/** The ledgers that have to close, ascending. The size that one of them notes is that before it. */
function* stops(engine: LedgerEngine, last: number): Generator<number> {
  const { archival } = engine.settings();
  const every = archival.liveSorobanStateSizeWindowSamplePeriod;
  const kept = archival.liveSorobanStateSizeWindowSampleSize;
  const newest = last - (last % every);
  for (let noting = newest - (kept - 1) * every; noting <= newest; noting += every) {
    yield noting - 1;
    yield noting;
  }
  yield last;
}
