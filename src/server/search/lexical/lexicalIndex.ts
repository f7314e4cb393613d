import type { BlockReader } from '../kept/indexFile.ts';
import { readNumbers, readRows, rowsBlocks } from '../kept/sections.ts';
import { Best } from '../ranking/best.ts';
import { GrowableUint32 } from '../ranking/growable.ts';
import { impactOf, lengthClass } from './fieldTerms.ts';
import { type QueryKey, weighed } from './queryKeys.ts';
import { rarity } from './statistics.ts';
import { type WordEvidence, wordEvidence } from './wordEvidence.ts';

/** Postings keep the slot above these bits and the fields in them. */
const FIELD_BITS = 4;
const FIELD_MASK = 15;

export interface LexicalRanking {
  /** Slots with their scores, best first. */
  readonly slots: readonly { readonly slot: number; readonly score: number }[];
  readonly evidenceOf: (score: number) => WordEvidence;
}

/** The entries from which the statistics of a ranking are taken. */
export interface Epoch {
  /** The sequence of its last listing. */
  readonly end: number;
  /** Number of those entries. */
  readonly entries: number;
  /** Whether the slot's entry is one of those. */
  readonly has: (slot: number) => boolean;
}

/** The slots whose entries contain a term, and the number of them in the last counted epoch. */
class Postings extends GrowableUint32 {
  epoch = -1;
  having = 0;
}

/**
 * An inverted index: each term with the slots of its entries and the bits of its fields. An entry's score is the sum of its
 * terms' impacts, each multiplied by the term's rarity in an epoch of the catalog.
 */
export class LexicalIndex {
  #postings = new Map<string, Postings>();
  /** Length class by slot. */
  #lengths = new Uint8Array(64);
  /** Scores while a query runs, zero between queries. */
  #scores = new Uint32Array(64);
  #touched = new Uint32Array(64);

  /** Slots have to be added in ascending order. */
  add(slot: number, fieldTerms: ReadonlyMap<string, number>): void {
    if (slot >= this.#scores.length) {
      const capacity = Math.max(slot + 1, this.#scores.length * 2);
      this.#scores = new Uint32Array(capacity);
      this.#touched = new Uint32Array(capacity);
      const lengths = new Uint8Array(capacity);
      lengths.set(this.#lengths);
      this.#lengths = lengths;
    }
    this.#lengths[slot] = lengthClass(fieldTerms.size);
    for (const [term, fields] of fieldTerms) {
      let postings = this.#postings.get(term);
      if (!postings) {
        postings = new Postings(1);
        this.#postings.set(term, postings);
      }
      postings.push(((slot << FIELD_BITS) | fields) >>> 0);
    }
  }

  /** Writes the blocks for this many slots, for `restored` to read. */
  *blocks(slots: number): Generator<Uint8Array> {
    yield this.#lengths.slice(0, slots);
    yield* rowsBlocks(this.#postings);
  }

  static async restored(reader: BlockReader, slots: number): Promise<LexicalIndex> {
    const index = new LexicalIndex();
    const lengths = await readNumbers(reader, Uint8Array, slots);
    const capacity = Math.max(64, slots);
    index.#scores = new Uint32Array(capacity);
    index.#touched = new Uint32Array(capacity);
    index.#lengths = new Uint8Array(capacity);
    index.#lengths.set(lengths);
    index.#postings = await readRows(reader, (numbers) => new Postings(numbers));
    return index;
  }

  /** Returns the best `depth` of the `allowed` slots, by score and then by `tieBefore`. */
  rank(
    keys: readonly QueryKey[],
    epoch: Epoch,
    allowed: (slot: number) => boolean,
    tieBefore: (a: number, b: number) => boolean,
    depth: number,
  ): LexicalRanking {
    const scores = this.#scores;
    const lengths = this.#lengths;
    const touched = this.#touched;
    let count = 0;
    const asked = weighed(keys, (term) => this.#rarity(term, epoch), epoch.entries);
    for (const { key, weight } of asked.keys) {
      const postings = this.#postings.get(key)?.view();
      if (!postings) continue;
      for (let n = 0; n < postings.length; n += 1) {
        const posting = postings[n] ?? 0;
        const slot = posting >>> FIELD_BITS;
        const before = scores[slot] ?? 0;
        if (before === 0) {
          touched[count] = slot;
          count += 1;
        }
        scores[slot] = before + impactOf(lengths[slot] ?? 0, posting & FIELD_MASK) * weight;
      }
    }
    const best = new Best(depth, (a, b) => {
      const difference = (scores[b] ?? 0) - (scores[a] ?? 0);
      return difference === 0 ? tieBefore(a, b) : difference < 0;
    });
    for (let n = 0; n < count; n += 1) {
      const slot = touched[n] ?? 0;
      if (allowed(slot)) best.offer(slot);
    }
    const slots = best.sorted().map((slot) => ({ slot, score: scores[slot] ?? 0 }));
    for (let n = 0; n < count; n += 1) scores[touched[n] ?? 0] = 0;
    return { slots, evidenceOf: wordEvidence(asked.weight, epoch.entries) };
  }

  /** Follows `Slots.renumber`: removes postings of dead slots, and terms without postings. */
  renumber(newSlots: Int32Array): void {
    const kept = new Map<string, Postings>();
    for (const [term, postings] of this.#postings) {
      const renumbered = new Postings(Math.max(1, postings.length));
      for (const posting of postings.view()) {
        const slot = newSlots[posting >>> FIELD_BITS] ?? -1;
        if (slot >= 0) renumbered.push(((slot << FIELD_BITS) | (posting & FIELD_MASK)) >>> 0);
      }
      renumbered.epoch = postings.epoch;
      renumbered.having = postings.having;
      if (renumbered.length > 0) kept.set(term, renumbered);
    }
    this.#postings = kept;
    newSlots.forEach((slot, old) => {
      if (slot >= 0) this.#lengths[slot] = this.#lengths[old] ?? 0;
    });
  }

  /** Bytes of postings, lengths and scores, without the terms. */
  get bytes(): number {
    let bytes = this.#scores.byteLength + this.#touched.byteLength + this.#lengths.byteLength;
    for (const postings of this.#postings.values()) bytes += postings.bytes;
    return bytes;
  }

  /** A term's rarity in an epoch, counted once per epoch; `null` if no entry has the term. */
  #rarity(term: string, { end, entries, has }: Epoch): number | null {
    const postings = this.#postings.get(term);
    if (!postings) return null;
    if (postings.epoch !== end) {
      let having = 0;
      for (const posting of postings.view()) if (has(posting >>> FIELD_BITS)) having += 1;
      postings.epoch = end;
      postings.having = having;
    }
    return rarity(postings.having, entries);
  }
}
