import { type BlockReader, KeptDamaged } from '../kept/indexFile.ts';
import { bytesOf, readNumbers, readTexts, textsBlock } from '../kept/sections.ts';
import { popularity, type SearchDocument } from '../searchDocument.ts';
import type { RankedEntry } from '../searchIndex.ts';

type Counts = Pick<SearchDocument, 'settlements' | 'uniquePayers'>;

/**
 * The entries by slot. A slot is never reused until `renumber`, so that appending keeps every row of postings in order; an
 * entry whose words change gets a new slot.
 */
export class Slots {
  #sequence = new Float64Array(64);
  #popularity = new Float64Array(64);
  #ids: (string | null)[] = [];
  #slotOf = new Map<string, number>();

  /** Returns the blocks that `restored` reads. There must be no dead slots. */
  *blocks(): Generator<Uint8Array> {
    const slots = this.#ids.length;
    yield textsBlock(this.#ids.map((id) => id ?? ''));
    yield bytesOf(this.#sequence.slice(0, slots));
    yield bytesOf(this.#popularity.slice(0, slots));
  }

  static async restored(reader: BlockReader, count: number): Promise<Slots> {
    const slots = new Slots();
    const ids = await readTexts(reader, count);
    slots.#ids = ids;
    slots.#slotOf = new Map(ids.map((id, slot) => [id, slot]));
    if (slots.#slotOf.size !== count) throw new KeptDamaged('an entry is there twice');
    const capacity = Math.max(64, count);
    slots.#sequence = new Float64Array(capacity);
    slots.#sequence.set(await readNumbers(reader, Float64Array, count));
    slots.#popularity = new Float64Array(capacity);
    slots.#popularity.set(await readNumbers(reader, Float64Array, count));
    return slots;
  }

  /** Ids by slot, null for dead ones. */
  get ids(): readonly (string | null)[] {
    return this.#ids;
  }

  /** Number of slots, live and dead. */
  get length(): number {
    return this.#ids.length;
  }

  get living(): number {
    return this.#slotOf.size;
  }

  find(id: string): number | undefined {
    return this.#slotOf.get(id);
  }

  entry(slot: number): RankedEntry {
    return {
      id: this.#ids[slot] ?? '',
      sequence: this.#sequenceAt(slot),
      popularity: this.#popularity[slot] ?? 0,
    };
  }

  /** Assigns the next slot to an entry; its previous slot is dead. */
  take(document: Pick<SearchDocument, 'id' | 'sequence'> & Counts): number {
    this.release(document.id);
    const slot = this.#ids.length;
    if (slot === this.#sequence.length) {
      this.#sequence = larger(this.#sequence);
      this.#popularity = larger(this.#popularity);
    }
    this.#ids.push(document.id);
    this.#slotOf.set(document.id, slot);
    this.#sequence[slot] = document.sequence;
    this.#popularity[slot] = popularity(document);
    return slot;
  }

  /** Returns the slot that the entry had, or undefined. */
  release(id: string): number | undefined {
    const slot = this.#slotOf.get(id);
    if (slot === undefined) return undefined;
    this.#slotOf.delete(id);
    this.#ids[slot] = null;
    return slot;
  }

  count(slot: number, counts: Counts): void {
    this.#popularity[slot] = popularity(counts);
  }

  /** Whether the slot is live and was listed when the cursor's first page was created. */
  visible(slot: number, asOf: number): boolean {
    return this.#ids[slot] != null && this.#sequenceAt(slot) <= asOf;
  }

  /** Breaks ties: settlements × 2 + unique payers, then the older listing (spec: Ranking). */
  tieBefore = (a: number, b: number): boolean => {
    const difference = (this.#popularity[b] ?? 0) - (this.#popularity[a] ?? 0);
    return difference === 0 ? this.#sequenceAt(a) < this.#sequenceAt(b) : difference < 0;
  };

  /** Removes dead slots. Returns the new slot of each old one, or -1 for a dead one. */
  renumber(): Int32Array {
    const newSlots = new Int32Array(this.#ids.length).fill(-1);
    let next = 0;
    for (let slot = 0; slot < this.#ids.length; slot += 1) {
      const id = this.#ids[slot];
      if (id == null) continue;
      newSlots[slot] = next;
      this.#ids[next] = id;
      this.#slotOf.set(id, next);
      this.#sequence[next] = this.#sequence[slot] ?? 0;
      this.#popularity[next] = this.#popularity[slot] ?? 0;
      next += 1;
    }
    this.#ids.length = next;
    return newSlots;
  }

  #sequenceAt(slot: number): number {
    return this.#sequence[slot] ?? Number.POSITIVE_INFINITY;
  }
}

function larger(numbers: Float64Array): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(numbers.length * 2);
  grown.set(numbers);
  return grown;
}
