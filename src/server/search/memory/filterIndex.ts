import type { BlockReader } from '../kept/indexFile.ts';
import { readRows, rowsBlocks } from '../kept/sections.ts';
import { GrowableUint32 } from '../ranking/growable.ts';
import type { FilterFields, SearchFilters } from '../searchDocument.ts';

/** The slots that each value of each filter allows. */
export class FilterIndex {
  #slots = new Map<string, GrowableUint32>();
  /** For each slot, the number of a query's filters that allow it; zero between queries. */
  #allowing = new Uint8Array(64);

  /** Slots have to be added in ascending order. */
  add(slot: number, fields: FilterFields): void {
    if (slot >= this.#allowing.length) {
      this.#allowing = new Uint8Array(Math.max(slot + 1, this.#allowing.length * 2));
    }
    for (const key of filterKeys(fields)) {
      let slots = this.#slots.get(key);
      if (!slots) {
        slots = new GrowableUint32(1);
        this.#slots.set(key, slots);
      }
      slots.push(slot);
    }
  }

  /** Returns the blocks that `restored` reads. */
  blocks(): Iterable<Uint8Array> {
    return rowsBlocks(this.#slots);
  }

  static async restored(reader: BlockReader, slots: number): Promise<FilterIndex> {
    const index = new FilterIndex();
    index.#slots = await readRows(reader, (numbers) => new GrowableUint32(numbers));
    index.#allowing = new Uint8Array(Math.max(64, slots));
    return index;
  }

  /** Runs `use` with the slots that all filters allow, or without filters with null, which means all slots. */
  allowed<T>(filters: SearchFilters, use: (slots: FilteredSlots | null) => T): T {
    const keys = requiredKeys(filters);
    if (keys.length === 0) return use(null);
    const lists = keys
      .map((key) => this.#slots.get(key)?.view() ?? new Uint32Array())
      .sort((a, b) => a.length - b.length);
    const [smallest = new Uint32Array()] = lists;
    const allowing = this.#allowing;
    for (const list of lists) {
      for (let n = 0; n < list.length; n += 1) {
        const slot = list[n] ?? 0;
        allowing[slot] = (allowing[slot] ?? 0) + 1;
      }
    }
    try {
      const needed = lists.length;
      return use({
        slots: smallest.filter((slot) => allowing[slot] === needed),
        has: (slot) => allowing[slot] === needed,
      });
    } finally {
      for (const list of lists) for (const slot of list) allowing[slot] = 0;
    }
  }

  renumber(newSlots: Int32Array): void {
    const kept = new Map<string, GrowableUint32>();
    for (const [key, slots] of this.#slots) {
      const renumbered = new GrowableUint32(Math.max(1, slots.length));
      for (const old of slots.view()) {
        const slot = newSlots[old] ?? -1;
        if (slot >= 0) renumbered.push(slot);
      }
      if (renumbered.length > 0) kept.set(key, renumbered);
    }
    this.#slots = kept;
  }

  get bytes(): number {
    let bytes = this.#allowing.byteLength;
    for (const slots of this.#slots.values()) bytes += slots.bytes;
    return bytes;
  }
}

export interface FilteredSlots {
  /** In ascending order; they can include dead slots. */
  readonly slots: Uint32Array;
  has(slot: number): boolean;
}

/** Addresses are compared case-insensitively, as in the canonical client's conformance draft. */
const filterKey = (name: string, value: string): string =>
  `${name}=${name === 'payTo' ? value.toUpperCase() : value}`;

/** Returns every value by which an entry can be filtered, as a key. */
export function filterKeys(fields: FilterFields): string[] {
  const keys = new Set([filterKey('type', fields.type)]);
  for (const name of ['payTo', 'scheme', 'network', 'extensions'] as const) {
    for (const value of fields[name]) keys.add(filterKey(name, value));
  }
  return [...keys].sort();
}

/** Returns the keys that an entry needs, sorted: equal filters have equal keys. */
export function requiredKeys(filters: SearchFilters): string[] {
  const keys = Object.entries(filters).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => filterKey(name, value)),
  );
  return [...new Set(keys)].sort();
}
