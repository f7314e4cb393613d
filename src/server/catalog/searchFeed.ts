import type { Logger } from '../logger.ts';
import { KeptSearch, type KeptSearchParts } from './keptSearch.ts';
import { countEntries, readAfter, readByKeys, readLatest } from './records/readEntries.ts';
import { searchDocument } from './searchDocument.ts';

/** Number of entries to read at once while the search is filled. */
const STEP = 500;
/**
 * Number of entries to index again in a persistent search: the process might have ended after the store had them but before the
 * search did.
 */
const AGAIN = 1_000;

/** Updates the search after entries change in the store. */
export interface SearchFeed {
  /** Reads an entry and adds it to the search. Never rejects. */
  changed(key: string, gone: readonly string[]): void;
  /** Removes entries from the search. Never rejects. */
  removed(keys: readonly string[]): void;
  /** Adds missing entries to the search, in steps that let other work run in between. */
  fill(): Promise<void>;
  /** Resolves when the search has all reported changes. */
  settled(): Promise<void>;
  stop(): void;
}

export function createSearchFeed(parts: KeptSearchParts, logger: Logger): SearchFeed {
  const { search, source } = parts;
  const kept = new KeptSearch(parts);
  let stopped = false;
  // Sequential: the same entry may change again before the search has the first change.
  let tail: Promise<void> = Promise.resolve();

  async function update(key: string, gone: readonly string[]): Promise<void> {
    if (stopped) return;
    for (const id of gone) await search.remove(id);
    const [entry] = await readByKeys(source, [key]);
    if (entry !== undefined) await search.put(searchDocument(entry));
    for (const id of [key, ...gone]) kept.note(id);
    await kept.keepIfDue();
  }

  function enqueue<T>(step: () => Promise<T>): Promise<T> {
    const done = tail.then(step);
    tail = done.then(
      () => undefined,
      (error: unknown) => {
        if (!stopped) logger.error({ err: error }, 'could not pass entries to the search');
      },
    );
    return done;
  }

  /** Adds some entries to the search. */
  async function fillFrom(sequence: number): Promise<number | undefined> {
    if (stopped) return undefined;
    const { entries, last } = await readAfter(source, sequence, STEP);
    for (const entry of entries) {
      await search.put(searchDocument(entry));
      kept.note(entry.listing.key);
    }
    return last;
  }

  /** Whether the search still has all entries, from an earlier run or another instance. */
  async function isFilled(): Promise<boolean> {
    const { vectorIndex, documents } = search.status();
    return vectorIndex === 'pgvector' && documents >= (await countEntries(source, {}));
  }

  async function fillAll(): Promise<void> {
    let last: number | undefined = 0;
    while (last !== undefined) {
      const from: number = last;
      last = await enqueue(() => fillFrom(from));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async function fillLatest(): Promise<void> {
    for (const entry of await readLatest(source, AGAIN)) {
      if (!stopped) await search.put(searchDocument(entry));
    }
  }

  return {
    changed(key, gone) {
      enqueue(() => update(key, gone)).catch(() => undefined);
    },
    removed(keys) {
      enqueue(async () => {
        for (const key of keys) {
          if (stopped) return;
          await search.remove(key);
          kept.note(key);
        }
      }).catch(() => undefined);
    },
    async fill() {
      search.setLoading(true);
      try {
        if (await isFilled()) {
          search.setLoading(false);
          return await enqueue(fillLatest);
        }
        if (!(await enqueue(() => kept.restore()))) await fillAll();
      } catch {
        return;
      }
      search.setLoading(false);
      enqueue(() => (stopped ? Promise.resolve() : kept.keepIfDue())).catch(() => undefined);
    },
    settled: () => tail,
    stop() {
      stopped = true;
    },
  };
}
