import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { CatalogSearch } from '../search/index.ts';
import type { Database } from '../store/index.ts';
import {
  announceKept,
  confirmKept,
  noteChanges,
  readChanges,
  revisionOf,
  withdrawKept,
} from './records/changes.ts';
import { type EntrySource, readByKeys } from './records/readEntries.ts';
import { searchDocument } from './searchDocument.ts';

const AT_ONCE = 500;

/** When the index is worth storing again: applying fewer changes than this takes no noticeable time. */
export interface KeepingBounds {
  /** Minimum number of entries that changed since it was stored; */
  readonly changes: number;
  /** and at least one in this many entries; */
  readonly share: number;
  /** and the minimum time since then, in milliseconds. */
  readonly everyMs: number;
}

const KEEPING: KeepingBounds = { changes: 1_000, share: 50, everyMs: 300_000 };

export interface KeptSearchParts {
  readonly search: CatalogSearch;
  readonly source: EntrySource & { readonly database: Database };
  readonly clock: Clock;
  readonly bounds?: KeepingBounds;
}

/**
 * Keeps the search's index in step with the store across restarts. The store notes which entries change
 * after the index was kept, under a mark that the kept index has too. An index under another mark (of another
 * or a restored store) is not used, so whatever is restored is brought to the store's state by its changes.
 *
 * None of this may run at the same time as other changes of the search.
 */
export class KeptSearch {
  readonly #parts: KeptSearchParts;
  readonly #bounds: KeepingBounds;
  /** The last change that the search certainly has. */
  #applied = 0;
  /** Entries that changed since the index was kept. */
  readonly #changed = new Set<string>();
  #keptAt: number | undefined;

  constructor(parts: KeptSearchParts) {
    this.#parts = parts;
    this.#bounds = parts.bounds ?? KEEPING;
  }

  /**
   * Restores the kept index and applies what changed since.
   * @returns false if the search has to be filled from the store; changes are noted from then on
   */
  async restore(): Promise<boolean> {
    const { search, source } = this.#parts;
    if (!search.keeps) return false;
    const again = await search.restore(async (mark) => {
      const revision = await revisionOf(source.database, mark);
      this.#applied = revision ?? 0;
      return revision !== undefined;
    });
    if (again === null) {
      this.#applied = await noteChanges(source.database, randomUUID());
      return false;
    }
    for (let n = 0; n < again.length; n += AT_ONCE) await this.#put(again.slice(n, n + AT_ONCE));
    await this.#apply();
    return true;
  }

  /** Counts a change of an entry. */
  note(key: string): void {
    if (this.#parts.search.keeps) this.#changed.add(key);
  }

  /** Keeps the index if enough has changed. @throws StoreError; the former index is still good then */
  async keepIfDue(): Promise<void> {
    if (!this.#isDue()) return;
    const { search, source, clock } = this.#parts;
    await this.#apply();
    const mark = randomUUID();
    await announceKept(source.database, mark, this.#applied);
    this.#keptAt = clock.elapsed();
    if (!(await search.keep(mark))) return withdrawKept(source.database, mark);
    this.#changed.clear();
    await confirmKept(source.database, mark);
  }

  #isDue(): boolean {
    const { search, clock } = this.#parts;
    const { changes, share, everyMs } = this.#bounds;
    if (!search.keeps) return false;
    const { documents } = search.status();
    if (this.#changed.size < Math.max(changes, documents / share)) return false;
    return this.#keptAt === undefined || clock.elapsed() - this.#keptAt >= everyMs;
  }

  /** Brings the search to the store's state. */
  async #apply(): Promise<void> {
    const { source } = this.#parts;
    for (;;) {
      const changes = await readChanges(source.database, this.#applied, AT_ONCE);
      const last = changes.at(-1);
      if (last === undefined) return;
      await this.#put(changes.map(({ key }) => key));
      this.#applied = last.revision;
    }
  }

  async #put(keys: readonly string[]): Promise<void> {
    const { search, source } = this.#parts;
    const entries = await readByKeys(source, keys);
    const listed = new Set<string>(entries.map(({ listing }) => listing.key));
    for (const key of keys) {
      this.#changed.add(key);
      if (!listed.has(key)) await search.remove(key);
    }
    for (const entry of entries) await search.put(searchDocument(entry));
  }
}
