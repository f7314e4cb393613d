import type { EntryReader } from '../host/index.ts';
import { entryXdr, type LedgerState, ledgerKeyIdOfXdr, storedEntry } from '../state/index.ts';

/** Reads entries of a state for a simulation, archived ones included. */
export function entryReader(state: LedgerState): EntryReader {
  return (keyXdr) => {
    const found = storedEntry(state, ledgerKeyIdOfXdr(keyXdr));
    return found === undefined
      ? null
      : { entry: entryXdr(found.entry), liveUntil: found.liveUntil };
  };
}
