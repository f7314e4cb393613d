import type { EntriesAnswer } from './getLedgerEntries.ts';

/** Most keys that an RPC server accepts in one call. */
const MOST_KEYS = 200;

type Ask = (keys: readonly string[]) => Promise<EntriesAnswer>;

interface Waiting {
  readonly keys: readonly string[];
  readonly resolve: (answer: Promise<EntriesAnswer>) => void;
}

/** Splits waiting readings into groups that fit one call each; a single reading is never split. */
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
 * Combines the readings of one turn of the event loop into one call. The settlements of one ledger are
 * decided together, and each reads the entries that prove it, which would be one more call for each.
 * A single reading is sent unchanged, after the turn in which it arrived.
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
