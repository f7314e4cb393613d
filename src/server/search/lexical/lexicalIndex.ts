import { Best } from '../ranking/best.ts';
import { GrowableUint32 } from '../ranking/growable.ts';
import { WEIGHT_OF_FIELDS } from './fieldTerms.ts';
import type { QueryKey } from './queryKeys.ts';

/** Postings keep the slot above these bits and the fields in them. */
const FIELD_BITS = 4;
const FIELD_MASK = 15;

export interface LexicalRanking {
  /** Slots, best first. */
  readonly slots: readonly number[];
  /** How many entries matched, also those cut off. */
  readonly matches: number;
}

/**
 * An inverted index: each term with the slots it stands in and the bits of its fields. What an entry
 * scores depends on itself and the query alone, not on the other entries (spec: Lexical).
 */
export class LexicalIndex {
  #postings = new Map<string, GrowableUint32>();
  /** Scores while a query runs, zero between queries. */
  #scores = new Uint32Array(64);
  #touched = new Uint32Array(64);

  /** Slots have to come in growing order. */
  add(slot: number, fieldTerms: ReadonlyMap<string, number>): void {
    if (slot >= this.#scores.length) {
      const capacity = Math.max(slot + 1, this.#scores.length * 2);
      this.#scores = new Uint32Array(capacity);
      this.#touched = new Uint32Array(capacity);
    }
    for (const [term, fields] of fieldTerms) {
      let postings = this.#postings.get(term);
      if (!postings) {
        postings = new GrowableUint32(1);
        this.#postings.set(term, postings);
      }
      postings.push(((slot << FIELD_BITS) | fields) >>> 0);
    }
  }

  /** The best `depth` of the slots that are `allowed`, by score and then by `tieBefore`. */
  rank(
    keys: readonly QueryKey[],
    allowed: (slot: number) => boolean,
    tieBefore: (a: number, b: number) => boolean,
    depth: number,
  ): LexicalRanking {
    const scores = this.#scores;
    const touched = this.#touched;
    let count = 0;
    for (const { key, times } of keys) {
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
        scores[slot] = before + (WEIGHT_OF_FIELDS[posting & FIELD_MASK] ?? 0) * times;
      }
    }
    const best = new Best(depth, (a, b) => {
      const difference = (scores[b] ?? 0) - (scores[a] ?? 0);
      return difference === 0 ? tieBefore(a, b) : difference < 0;
    });
    let matches = 0;
    for (let n = 0; n < count; n += 1) {
      const slot = touched[n] ?? 0;
      if (!allowed(slot)) continue;
      matches += 1;
      best.offer(slot);
    }
    const slots = best.sorted();
    for (let n = 0; n < count; n += 1) scores[touched[n] ?? 0] = 0;
    return { slots, matches };
  }

  /** Follows `Slots.renumber`: postings of dead slots go, terms without postings too. */
  renumber(newSlots: Int32Array): void {
    const kept = new Map<string, GrowableUint32>();
    for (const [term, postings] of this.#postings) {
      const renumbered = new GrowableUint32(Math.max(1, postings.length));
      for (const posting of postings.view()) {
        const slot = newSlots[posting >>> FIELD_BITS] ?? -1;
        if (slot >= 0) renumbered.push(((slot << FIELD_BITS) | (posting & FIELD_MASK)) >>> 0);
      }
      if (renumbered.length > 0) kept.set(term, renumbered);
    }
    this.#postings = kept;
  }

  /** Bytes of postings and scores, without the terms. */
  get bytes(): number {
    let bytes = this.#scores.byteLength + this.#touched.byteLength;
    for (const postings of this.#postings.values()) bytes += postings.bytes;
    return bytes;
  }
}
