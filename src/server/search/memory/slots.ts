import { type BlockReader, KeptDamaged } from '../kept/indexFile.ts';
import { bytesOf, readNumbers, readTexts, textsBlock } from '../kept/sections.ts';
import { LIKENESS_WORDS, type Likeness } from '../ranking/likeness.ts';
import { type Counts, groupNumber, popularity, type SearchDocument } from '../searchDocument.ts';
import type { RankedEntry } from '../searchIndex.ts';

/** The values of a taken slot. */
type Taken = Pick<SearchDocument, 'id' | 'sequence' | 'seller' | 'origin'> & Counts;

/**
 * The entries by slot. A slot is never reused until `renumber`, so that appending keeps every row of postings in order; an
 * entry whose words change gets a new slot.
 */
export class Slots {
  #sequence = new Float64Array(64);
  #popularity = new Float64Array(64);
  #standing = new Float64Array(64);
  #seller = new Float64Array(64);
  #origin = new Float64Array(64);
  /** All zero for a slot without an embedding. */
  #likeness = new Uint32Array(64 * LIKENESS_WORDS);
  #ids: (string | null)[] = [];
  #slotOf = new Map<string, number>();

  /** Returns the blocks that `restored` reads. There must be no dead slots. */
  *blocks(): Generator<Uint8Array> {
    const slots = this.#ids.length;
    yield textsBlock(this.#ids.map((id) => id ?? ''));
    for (const numbers of [
      this.#sequence,
      this.#popularity,
      this.#standing,
      this.#seller,
      this.#origin,
    ]) {
      yield bytesOf(numbers.slice(0, slots));
    }
    yield bytesOf(this.#likeness.slice(0, slots * LIKENESS_WORDS));
  }

  static async restored(reader: BlockReader, count: number): Promise<Slots> {
    const slots = new Slots();
    const ids = await readTexts(reader, count);
    slots.#ids = ids;
    slots.#slotOf = new Map(ids.map((id, slot) => [id, slot]));
    if (slots.#slotOf.size !== count) throw new KeptDamaged('an entry is there twice');
    const capacity = Math.max(64, count);
    const restoredNumbers = async () => {
      const numbers = new Float64Array(capacity);
      numbers.set(await readNumbers(reader, Float64Array, count));
      return numbers;
    };
    slots.#sequence = await restoredNumbers();
    slots.#popularity = await restoredNumbers();
    slots.#standing = await restoredNumbers();
    slots.#seller = await restoredNumbers();
    slots.#origin = await restoredNumbers();
    slots.#likeness = new Uint32Array(capacity * LIKENESS_WORDS);
    slots.#likeness.set(await readNumbers(reader, Uint32Array, count * LIKENESS_WORDS));
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
      standing: this.#standing[slot] ?? 0,
      seller: this.#seller[slot] ?? 0,
      origin: this.#origin[slot] ?? 0,
      likeness: this.#likenessAt(slot),
    };
  }

  /** Sets or copies what an entry's embedding is like. */
  like(slot: number, likeness: Likeness): void {
    this.#likeness.set(likeness, slot * LIKENESS_WORDS);
  }

  likeAs(slot: number, other: number): void {
    const from = other * LIKENESS_WORDS;
    this.#likeness.copyWithin(slot * LIKENESS_WORDS, from, from + LIKENESS_WORDS);
  }

  #likenessAt(slot: number): Likeness | null {
    const at = slot * LIKENESS_WORDS;
    const bits = this.#likeness;
    const [a, b, c, d] = [bits[at] ?? 0, bits[at + 1] ?? 0, bits[at + 2] ?? 0, bits[at + 3] ?? 0];
    return (a | b | c | d) === 0 ? null : [a, b, c, d];
  }

  /** Assigns the next slot to an entry; its previous slot is dead. */
  take(document: Taken): number {
    this.release(document.id);
    const slot = this.#ids.length;
    if (slot === this.#sequence.length) {
      this.#sequence = larger(this.#sequence);
      this.#popularity = larger(this.#popularity);
      this.#standing = larger(this.#standing);
      this.#seller = larger(this.#seller);
      this.#origin = larger(this.#origin);
      const likeness = new Uint32Array(this.#likeness.length * 2);
      likeness.set(this.#likeness);
      this.#likeness = likeness;
    }
    this.#ids.push(document.id);
    this.#slotOf.set(document.id, slot);
    this.#sequence[slot] = document.sequence;
    this.#seller[slot] = groupNumber(document.seller);
    this.#origin[slot] = groupNumber(document.origin);
    this.#likeness.fill(0, slot * LIKENESS_WORDS, (slot + 1) * LIKENESS_WORDS);
    this.count(slot, document);
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
    this.#standing[slot] = counts.standing;
  }

  /** Whether the slot is live and was listed when the cursor's first page was created. */
  visible(slot: number, asOf: number): boolean {
    return this.#ids[slot] != null && this.#sequenceAt(slot) <= asOf;
  }

  /** Breaks ties: standing, then settlements × 2 + unique payers, then the older listing (spec: Ranking). */
  tieBefore = (a: number, b: number): boolean => {
    const difference =
      (this.#standing[b] ?? 0) - (this.#standing[a] ?? 0) ||
      (this.#popularity[b] ?? 0) - (this.#popularity[a] ?? 0);
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
      this.#standing[next] = this.#standing[slot] ?? 0;
      this.#seller[next] = this.#seller[slot] ?? 0;
      this.#origin[next] = this.#origin[slot] ?? 0;
      this.likeAs(next, slot);
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
