import type { EntriesAnswer } from './getLedgerEntries.ts';

/** Keys that an RPC server takes in one call. */
const MOST_KEYS = 200;

type Ask = (keys: readonly string[]) => Promise<EntriesAnswer>;

interface Waiting {
  readonly keys: readonly string[];
  readonly resolve: (answer: Promise<EntriesAnswer>) => void;
}

/** Splits what waits into groups that fit one call each; a reading of its own is never split. */
function groupsOf(waiting: readonly Waiting[]): Waiting[][] {
  const groups: Waiting[][] = [];
  let size = MOST_KEYS;
  for (const one of waiting) {
    size += one.keys.length;
    if (size > MOST_KEYS) {
      groups.push([]);
      size = one.keys.length;
    }
    groups.at(-1)?.push(one);
  }
  return groups;
}

/**
 * Asks in one call for what is asked for in one turn of the event loop. The settlements of one ledger
 * are decided together, and each reads what shows that it was: alone that is one call more for each.
 * A single reading leaves as it is, after the turn it came in.
 */
export function gatherReads(ask: Ask): Ask {
  let waiting: Waiting[] = [];
  function leave(): void {
    const all = waiting;
    waiting = [];
    for (const group of groupsOf(all)) {
      const answer = ask([...new Set(group.flatMap(({ keys }) => keys))]);
      for (const { resolve } of group) resolve(answer);
    }
  }
  return (keys) =>
    new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(leave);
      waiting.push({ keys, resolve });
    });
}
