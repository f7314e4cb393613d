import { type BlockReader, KeptDamaged } from '../kept/indexFile.ts';
import { bytesOf, readNumbers } from '../kept/sections.ts';
import { fieldTerms } from '../lexical/fieldTerms.ts';
import { type Epoch, LexicalIndex } from '../lexical/lexicalIndex.ts';
import type { QueryKey } from '../lexical/queryKeys.ts';
import { epochOf } from '../lexical/statistics.ts';
import { Remembered } from '../ranking/remembered.ts';
import { DIGEST_CHARACTERS, saidDigests } from '../saidDigests.ts';
import type { Counts, SearchDocument } from '../searchDocument.ts';
import type { FoundByWords, FoundEntry, Scope, SearchIndex } from '../searchIndex.ts';
import { likenessOfTurned } from '../semantic/likenessOf.ts';
import { FilterIndex } from './filterIndex.ts';
import { Slots } from './slots.ts';
import { VectorIndex } from './vectorIndex.ts';

/** Dead slots are removed everywhere when there are this many, and a third as many as live ones. */
const DEAD_AT_LEAST = 1024;

/** The search's entries in this process: words, filters, counts and vectors by slot. */
export class MemoryIndex implements SearchIndex {
  readonly vectorIndex = 'in process';
  #slots = new Slots();
  #lexical = new LexicalIndex();
  #filters = new FilterIndex();
  #vectors = new VectorIndex();
  /** Digests of an entry's texts, and of its embedded text. */
  readonly #digests = new Map<string, { said: string; embedded: string }>();
  readonly #words: boolean;
  readonly #epochs = new Remembered<Epoch>(2);
  #newest = 0;

  /** @param options.words false if another index ranks by words, and this one only by vectors */
  constructor({ words = true }: { readonly words?: boolean } = {}) {
    this.#words = words;
  }

  /**
   * Returns the blocks that `restored` reads. Meanwhile entries may get vectors, but must not be put or removed.
   */
  *blocks(): Generator<Uint8Array> {
    this.#leaveOutDead();
    const { length, ids } = this.#slots;
    yield bytesOf(Float64Array.of(length, this.#newest));
    yield* this.#slots.blocks();
    const digests = ids.map((id) => this.#digests.get(id ?? ''));
    yield Buffer.from(digests.map((of) => `${of?.said}${of?.embedded}`).join(''), 'latin1');
    yield* this.#lexical.blocks(length);
    yield* this.#filters.blocks();
    yield* this.#vectors.blocks(length);
  }

  /** Restores a stored index. @throws KeptDamaged if the blocks do not match each other */
  static async restored(reader: BlockReader): Promise<MemoryIndex> {
    const index = new MemoryIndex();
    const [length = 0, newest = 0] = await readNumbers(reader, Float64Array, 2);
    index.#newest = newest;
    index.#slots = await Slots.restored(reader, length);
    const digests = Buffer.from(await reader.next()).toString('latin1');
    if (digests.length !== length * 2 * DIGEST_CHARACTERS)
      throw new KeptDamaged('digests are missing');
    index.#slots.ids.forEach((id, slot) => {
      const at = slot * 2 * DIGEST_CHARACTERS;
      const middle = at + DIGEST_CHARACTERS;
      const embedded = digests.slice(middle, middle + DIGEST_CHARACTERS);
      index.#digests.set(id ?? '', { said: digests.slice(at, middle), embedded });
    });
    index.#lexical = await LexicalIndex.restored(reader, length);
    index.#filters = await FilterIndex.restored(reader, length);
    index.#vectors = await VectorIndex.restored(reader, length);
    return index;
  }

  /** Returns the ids of entries without a vector. */
  withoutVector(): string[] {
    return this.#slots.ids.flatMap((id, slot) =>
      id === null || this.#vectors.has(slot) ? [] : [id],
    );
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
    if (kept && old !== undefined) this.#slots.likeAs(slot, old);
    if (old !== undefined) this.#vectors.remove(old);
    this.#compact();
    return Promise.resolve(!kept);
  }

  count(id: string, counts: Counts): Promise<void> {
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
    if (slot !== undefined) {
      this.#vectors.set(slot, vector);
      // It is rotated there already, which takes longer than all else here.
      this.#slots.like(slot, likenessOfTurned(this.#vectors.turned(slot) ?? []));
    }
    return Promise.resolve();
  }

  get size(): number {
    return this.#slots.living;
  }

  newest(): Promise<number> {
    return Promise.resolve(this.#newest);
  }

  lexical(
    keys: readonly QueryKey[],
    { filters, asOf, depth }: Scope,
  ): Promise<readonly FoundByWords[]> {
    const epoch = this.#epochAt(asOf);
    const ranking = this.#filters.allowed(filters, (filtered) =>
      this.#lexical.rank(
        keys,
        epoch,
        (slot) => this.#slots.visible(slot, asOf) && (filtered?.has(slot) ?? true),
        this.#slots.tieBefore,
        depth,
      ),
    );
    return Promise.resolve(
      ranking.slots.map(({ slot, score }) => {
        const evidence = ranking.evidenceOf(score);
        const { id, sequence, popularity, standing, seller, origin, likeness } =
          this.#slots.entry(slot);
        // Written out, because copying an object takes longer than ranking it.
        return {
          id,
          sequence,
          popularity,
          standing,
          seller,
          origin,
          likeness,
          score,
          evidence,
        };
      }),
    );
  }

  nearest(
    vector: Float32Array,
    floor: number,
    { filters, asOf, depth }: Scope,
  ): Promise<readonly FoundEntry[]> {
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
    return Promise.resolve(
      nearest.map(({ slot, cosine }) => {
        const { id, sequence, popularity, standing, seller, origin, likeness } =
          this.#slots.entry(slot);
        return { id, sequence, popularity, standing, seller, origin, likeness, score: cosine };
      }),
    );
  }

  /** Returns the bytes of postings, filters and vectors, without ids and digests. */
  get bytes(): number {
    return this.#lexical.bytes + this.#filters.bytes + this.#vectors.bytes;
  }

  /** Returns the statistics of a ranking; the last two are kept, for pages that continue in the previous epoch. */
  #epochAt(asOf: number): Epoch {
    const end = epochOf(Math.min(asOf, this.#newest));
    const known = this.#epochs.get(String(end));
    if (known) return known;
    const has = (slot: number) => this.#slots.visible(slot, end);
    let entries = 0;
    for (let slot = 0; slot < this.#slots.length; slot += 1) if (has(slot)) entries += 1;
    const epoch = { end, entries, has };
    this.#epochs.set(String(end), epoch);
    return epoch;
  }

  #compact(): void {
    const dead = this.#slots.length - this.#slots.living;
    if (dead >= DEAD_AT_LEAST && dead * 3 >= this.#slots.living) this.#leaveOutDead();
  }

  #leaveOutDead(): void {
    if (this.#slots.length === this.#slots.living) return;
    const newSlots = this.#slots.renumber();
    this.#lexical.renumber(newSlots);
    this.#filters.renumber(newSlots);
    this.#vectors.renumber(newSlots);
  }
}
