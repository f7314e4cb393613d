import type { LedgerEngine } from './ledgerEngine.ts';
import type { Validator } from './ledgerValue.ts';
import { nextLedger } from './nextLedger.ts';
import { proposeSet } from './proposal/proposeSet.ts';

/**
 * Brings the state to a later ledger as if every ledger up to it had closed without transactions. Only a few do, however
 * many there are: what expires leaves in one of them, in the order and as many as the ledgers between would have evicted;
 * and of the ledgers that note the size of the state, those close whose notes are still kept at the end.
 *
 * Nobody sees these ledgers, and their headers name each other as the ones before. The numbers between are of no ledger.
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
