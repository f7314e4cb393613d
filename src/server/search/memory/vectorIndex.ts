import type { BlockReader } from '../kept/indexFile.ts';
import { readNumbers } from '../kept/sections.ts';
import { Best } from '../ranking/best.ts';
import { DIMENSIONS, HEAD_DIMENSIONS } from '../semantic/kernels.ts';
import { type Measure, VectorRows } from '../semantic/vectorRows.ts';
import type { FilteredSlots } from './filterIndex.ts';

/** Number of coarsely nearest vectors that are measured exactly, for each one that is wanted. */
const OVERSAMPLING = 4;
/** Up to this many candidates, all are measured exactly. */
const EXACT = 512;
/**
 * Number of standard deviations by which the first dimensions can underestimate a vector before it is lost: this loses one in
 * two thousand of the last vectors that are wanted, and fewer of those before them.
 */
const MARGIN = 3.3;
/** The error that 4 bits per dimension cause in the cosine of the first dimensions. */
const CODE_ERROR = 0.008;

export interface Nearest {
  readonly slot: number;
  readonly cosine: number;
}

/**
 * Finds the nearest vectors by cosine. If there are many, it looks at the first dimensions of all, then at all dimensions of
 * those that can still be among the nearest, both in 4-bit codes, and measures the best of them exactly. If there are few, or a
 * filter allows few, it measures all exactly. It needs no training and no graph, so the result does not depend on the
 * order in which entries were added.
 */
export class VectorIndex {
  #rows = new VectorRows();
  #slotOfRow = new Int32Array(64).fill(-1);
  #rowOfSlot = new Map<number, number>();
  /** The rows that `#rowsFrom` returned last. */
  #found = new Uint32Array(64);

  /** Returns the blocks of this many slots that `restored` reads, in the present state even if vectors are added meanwhile. */
  *blocks(slots: number): Generator<Uint8Array> {
    const present = Uint8Array.from({ length: slots }, (_, slot) => (this.has(slot) ? 1 : 0));
    yield present;
    yield* this.#rows.blocks(slots, (slot) =>
      present[slot] === 1 ? (this.#rowOfSlot.get(slot) ?? -1) : -1,
    );
  }

  static async restored(reader: BlockReader, slots: number): Promise<VectorIndex> {
    const index = new VectorIndex();
    const present = await readNumbers(reader, Uint8Array, slots);
    index.#rows = await VectorRows.restored(reader, slots, (slot) => present[slot] === 1);
    index.#slotOfRow = new Int32Array(Math.max(64, slots)).fill(-1);
    for (let slot = 0; slot < slots; slot += 1) {
      if (present[slot] !== 1) continue;
      index.#slotOfRow[slot] = slot;
      index.#rowOfSlot.set(slot, slot);
    }
    return index;
  }

  get size(): number {
    return this.#rowOfSlot.size;
  }

  /** Sets the slot's vector. @throws if it does not have 1,024 dimensions */
  set(slot: number, vector: Float32Array): void {
    this.remove(slot);
    const row = this.#rows.add(vector);
    if (row >= this.#slotOfRow.length) {
      const slots = new Int32Array(row * 2).fill(-1);
      slots.set(this.#slotOfRow);
      this.#slotOfRow = slots;
    }
    this.#slotOfRow[row] = slot;
    this.#rowOfSlot.set(slot, row);
  }

  /** Returns the components of the slot's rotated vector, at some scale, until another is set; undefined if it does not have one. */
  turned(slot: number): Int16Array | undefined {
    const row = this.#rowOfSlot.get(slot);
    return row === undefined ? undefined : this.#rows.turned(row);
  }

  /** Moves the vector of one slot to another. Returns false if the slot does not have one. */
  move(from: number, to: number): boolean {
    const row = this.#rowOfSlot.get(from);
    if (row === undefined) return false;
    this.#rowOfSlot.delete(from);
    this.#rowOfSlot.set(to, row);
    this.#slotOfRow[row] = to;
    return true;
  }

  has(slot: number): boolean {
    return this.#rowOfSlot.has(slot);
  }

  remove(slot: number): void {
    const row = this.#rowOfSlot.get(slot);
    if (row === undefined) return;
    this.#rowOfSlot.delete(slot);
    this.#slotOfRow[row] = -1;
    this.#rows.drop(row);
  }

  /**
   * Returns the `depth` nearest of the slots that `allowed` allows and `filtered` contains (null: all), with a cosine of at
   * least `floor`.
   */
  nearest(
    vector: Float32Array,
    filtered: FilteredSlots | null,
    allowed: ((slot: number) => boolean) | null,
    tieBefore: (a: number, b: number) => boolean,
    depth: number,
    floor: number,
  ): Nearest[] {
    const measure = this.#rows.measure(vector);
    const candidates = this.#candidates(measure, filtered, allowed, depth, floor);
    const near: Nearest[] = [];
    for (const row of candidates) {
      const cosine = measure.fine(row);
      if (cosine >= floor) near.push({ slot: this.#slotOfRow[row] ?? -1, cosine });
    }
    return near
      .sort((a, b) => b.cosine - a.cosine || (tieBefore(a.slot, b.slot) ? -1 : 1))
      .slice(0, depth);
  }

  renumber(newSlots: Int32Array): void {
    const rowOfSlot = new Map<number, number>();
    for (const [old, row] of this.#rowOfSlot) {
      const slot = newSlots[old] ?? -1;
      this.#slotOfRow[row] = slot;
      if (slot >= 0) rowOfSlot.set(slot, row);
      else this.#rows.drop(row);
    }
    this.#rowOfSlot = rowOfSlot;
  }

  get bytes(): number {
    return this.#rows.bytes + this.#found.byteLength;
  }

  /** Returns the rows with at least this closeness, until the next call. Arrays of numbers take twice as long to fill. */
  #rowsFrom(closenesses: Float32Array, least: number): Uint32Array {
    if (this.#found.length < closenesses.length)
      this.#found = new Uint32Array(closenesses.length * 2);
    const rows = this.#found;
    let count = 0;
    for (let row = 0; row < closenesses.length; row += 1) {
      if ((closenesses[row] ?? OUT) < least) continue;
      rows[count] = row;
      count += 1;
    }
    return rows.subarray(0, count);
  }

  /** Returns the rows to measure exactly, until the next call. */
  #candidates(
    measure: Measure,
    filtered: FilteredSlots | null,
    allowed: ((slot: number) => boolean) | null,
    depth: number,
    floor: number,
  ): Iterable<number> {
    const few = Math.max(EXACT, depth * OVERSAMPLING);
    if (filtered && filtered.slots.length <= few) {
      return [...filtered.slots]
        .filter((slot) => allowed?.(slot) ?? true)
        .flatMap((slot) => this.#rowOfSlot.get(slot) ?? []);
    }
    const heads = measure.heads();
    const counts = new Uint32Array(LEVELS);
    let taking = 0;
    for (let row = 0; row < heads.length; row += 1) {
      const slot = this.#slotOfRow[row] ?? -1;
      if (slot < 0 || (allowed && !allowed(slot)) || (filtered && !filtered.has(slot))) {
        heads[row] = OUT;
        continue;
      }
      taking += 1;
      const level = levelOf(heads[row] ?? 0);
      counts[level] = (counts[level] ?? 0) + 1;
    }
    if (taking <= few) return this.#rowsFrom(heads, OUT + 1);
    const first = this.#rowsFrom(heads, lowestOf(counts, few));
    // The last wanted vector is at least this near, so vectors that cannot reach it are left out.
    const firsts = Float32Array.from(first, (row) => measure.coarse(row, heads[row] ?? 0)).sort();
    const reach = Math.max(firsts[firsts.length - depth] ?? -1, floor);
    // The standard deviation of a correlation that is computed from some of the dimensions.
    const fromSome = (1 - reach ** 2) * Math.sqrt(1 / HEAD_DIMENSIONS - 1 / DIMENSIONS);
    const spread = Math.hypot(fromSome, CODE_ERROR);
    const reaching = this.#rowsFrom(heads, reach - MARGIN * spread);
    const close: number[] = [];
    for (const row of reaching) {
      const coarse = measure.coarse(row, heads[row] ?? 0);
      heads[row] = coarse;
      if (coarse >= reach - MARGIN * CODE_ERROR) close.push(row);
    }
    if (close.length <= few) return close;
    const best = new Best(few, (a, b) => {
      const difference = (heads[b] ?? 0) - (heads[a] ?? 0);
      return difference === 0 ? a < b : difference < 0;
    });
    for (const row of close) best.offer(row);
    return best.sorted();
  }
}

/** Approximate cosines range from about -1 to 1; `OUT` is below them all. */
const OUT = -9;
const LEVELS = 1024;
const levelOf = (closeness: number): number =>
  Math.max(0, Math.min(LEVELS - 1, Math.floor((closeness + 1) * (LEVELS / 2))));

/** Returns the closeness that at least this many reach. */
function lowestOf(counts: Uint32Array, many: number): number {
  let level = LEVELS;
  for (let reached = 0; reached < many && level > 0; reached += counts[level] ?? 0) level -= 1;
  return level === 0 ? OUT + 1 : level / (LEVELS / 2) - 1;
}
