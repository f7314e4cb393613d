import { fieldTerms } from '../lexical/fieldTerms.ts';
import { LexicalIndex } from '../lexical/lexicalIndex.ts';
import type { QueryKey } from '../lexical/queryKeys.ts';
import { saidDigests } from '../saidDigests.ts';
import type { SearchDocument } from '../searchDocument.ts';
import type { LexicalMatches, RankedEntry, Scope, SearchIndex } from '../searchIndex.ts';
import { FilterIndex } from './filterIndex.ts';
import { Slots } from './slots.ts';
import { VectorIndex } from './vectorIndex.ts';

/** Dead slots are left out of all when there are so many, and a third as many as living ones. */
const DEAD_AT_LEAST = 1024;

/** The search's entries in this process: words, filters, counts and vectors by slot. */
export class MemoryIndex implements SearchIndex {
  readonly vectorIndex = 'in process';
  readonly #slots = new Slots();
  readonly #lexical = new LexicalIndex();
  readonly #filters = new FilterIndex();
  readonly #vectors = new VectorIndex();
  /** Digests of what an entry says, and of what of it is embedded. */
  readonly #digests = new Map<string, { said: string; embedded: string }>();
  readonly #words: boolean;
  #newest = 0;

  /** @param options.words false when another index ranks by words, and this one by vectors alone */
  constructor({ words = true }: { readonly words?: boolean } = {}) {
    this.#words = words;
  }

  put(document: SearchDocument): Promise<boolean> {
    const digests = saidDigests(document);
    const known = this.#digests.get(document.id);
    const old = this.#slots.find(document.id);
    if (known?.said === digests.said && old !== undefined) {
      this.#slots.count(old, document);
      return Promise.resolve(!this.#vectors.has(old));
    }
    this.#digests.set(document.id, digests);
    const slot = this.#slots.take(document);
    this.#newest = Math.max(this.#newest, document.sequence);
    if (this.#words) this.#lexical.add(slot, fieldTerms(document));
    this.#filters.add(slot, document.fields);
    const kept =
      old !== undefined && known?.embedded === digests.embedded && this.#vectors.move(old, slot);
    if (old !== undefined) this.#vectors.remove(old);
    this.#compact();
    return Promise.resolve(!kept);
  }

  count(id: string, counts: Pick<SearchDocument, 'settlements' | 'uniquePayers'>): Promise<void> {
    const slot = this.#slots.find(id);
    if (slot !== undefined) this.#slots.count(slot, counts);
    return Promise.resolve();
  }

  remove(id: string): Promise<void> {
    const slot = this.#slots.release(id);
    this.#digests.delete(id);
    if (slot !== undefined) this.#vectors.remove(slot);
    this.#compact();
    return Promise.resolve();
  }

  setVector(id: string, vector: Float32Array): Promise<void> {
    const slot = this.#slots.find(id);
    if (slot !== undefined) this.#vectors.set(slot, vector);
    return Promise.resolve();
  }

  get size(): number {
    return this.#slots.living;
  }

  newest(): Promise<number> {
    return Promise.resolve(this.#newest);
  }

  lexical(keys: readonly QueryKey[], { filters, asOf, depth }: Scope): Promise<LexicalMatches> {
    const ranking = this.#filters.allowed(filters, (filtered) =>
      this.#lexical.rank(
        keys,
        (slot) => this.#slots.visible(slot, asOf) && (filtered?.has(slot) ?? true),
        this.#slots.tieBefore,
        depth,
      ),
    );
    return Promise.resolve({
      entries: ranking.slots.map((slot) => this.#slots.entry(slot)),
      cut: ranking.matches > ranking.slots.length,
    });
  }

  nearest(
    vector: Float32Array,
    floor: number,
    { filters, asOf, depth }: Scope,
  ): Promise<readonly RankedEntry[]> {
    const nearest = this.#filters.allowed(filters, (filtered) =>
      this.#vectors.nearest(
        vector,
        filtered,
        asOf >= this.#newest ? null : (slot) => this.#slots.visible(slot, asOf),
        this.#slots.tieBefore,
        depth,
        floor,
      ),
    );
    return Promise.resolve(nearest.map(({ slot }) => this.#slots.entry(slot)));
  }

  /** Bytes of postings, filters and vectors; ids and digests come on top. */
  get bytes(): number {
    return this.#lexical.bytes + this.#filters.bytes + this.#vectors.bytes;
  }

  #compact(): void {
    const dead = this.#slots.length - this.#slots.living;
    if (dead < DEAD_AT_LEAST || dead * 3 < this.#slots.living) return;
    const newSlots = this.#slots.renumber();
    this.#lexical.renumber(newSlots);
    this.#filters.renumber(newSlots);
    this.#vectors.renumber(newSlots);
  }
}
