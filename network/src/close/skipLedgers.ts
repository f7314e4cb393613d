import type { LedgerEngine } from './ledgerEngine.ts';
import type { Validator } from './ledgerValue.ts';
import { type CommittedLedger, nextLedger } from './nextLedger.ts';
import { proposeSet } from './proposeSet.ts';

/**
 * Brings the state to a later ledger as if every ledger up to it had closed without transactions. Closes only a few of them.
 * Each of them evicts what the ledgers that it stands for would have evicted, in the same order. Of the ledgers that sample the
 * size of the state, only those close whose samples are still in the window at the end.
 *
 * No client sees these ledgers. Each header refers to the previous ledger that closed; the sequence numbers in between have no
 * ledger.
 * @returns a function that brings the state back
 */
export function skipLedgers(
  engine: LedgerEngine,
  last: number,
  closeTime: bigint,
  validator: Validator,
): () => void {
  const closed: CommittedLedger[] = [];
  const undo = (): void => {
    for (const ledger of closed.toReversed()) ledger.undo();
  };
  try {
    for (const stop of stops(engine, last)) {
      const { header } = engine.state;
      const after = header.ledgerSeq;
      if (stop <= after) continue;
      const none = proposeSet([], header, engine.settings());
      const standsFor = { after, last: stop };
      closed.push(nextLedger(engine, none, closeTime, validator, { standsFor }).commit());
    }
  } catch (error) {
    undo();
    throw error;
  }
  return undo;
}

/**
 * The ledgers that have to close, ascending. A ledger samples the size of the state before it, so the one before it closes too.
 */
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
