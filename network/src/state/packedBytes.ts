/** Size of an XDR unit in bytes: every value has a whole number of units. */
const UNIT = 4;
/** Longer values are stored separately. */
const LONGEST_PACKED = 512;
const SIZES = LONGEST_PACKED / UNIT + 1;
const CHUNK_BYTES = 1 << 16;

/** Where a value is: packed with others of its size, or separate. */
export type BytesPlace = number | Uint8Array;

/** The values of one size, in chunks that contain nothing else. */
interface Shelf {
  readonly chunks: Uint8Array[];
  readonly perChunk: number;
  /** Slots that are free again. */
  readonly free: number[];
  /** How many slots were ever used. */
  used: number;
}

/**
 * Holds very many short XDR values. A separate object for each would cost several times its bytes, and the garbage collector
 * would have to visit every one. Packed by size, they cost only their bytes.
 */
export class PackedBytes {
  readonly #shelves: (Shelf | undefined)[] = new Array<Shelf | undefined>(SIZES);

  /** Stores a copy. */
  add(bytes: Uint8Array): BytesPlace {
    const size = bytes.length / UNIT;
    if (size >= SIZES || !Number.isInteger(size)) return bytes.slice();
    const shelf = this.#shelf(size);
    const slot = shelf.free.pop() ?? newSlot(shelf, bytes.length);
    viewOf(shelf, slot, bytes.length).set(bytes);
    return slot * SIZES + size;
  }

  /** Replaces the bytes with a copy of others, in the same place if they fit exactly. */
  replace(place: BytesPlace, bytes: Uint8Array): BytesPlace {
    const before = this.view(place);
    if (typeof place === 'number' && before.length === bytes.length) {
      before.set(bytes);
      return place;
    }
    this.remove(place);
    return this.add(bytes);
  }

  /** The bytes, without a copy: valid until they are replaced or removed. */
  view(place: BytesPlace): Uint8Array {
    if (typeof place !== 'number') return place;
    const size = place % SIZES;
    return viewOf(this.#shelf(size), (place - size) / SIZES, size * UNIT);
  }

  /** Frees the place for other values. */
  remove(place: BytesPlace): void {
    if (typeof place !== 'number') return;
    const size = place % SIZES;
    this.#shelf(size).free.push((place - size) / SIZES);
  }

  #shelf(size: number): Shelf {
    let shelf = this.#shelves[size];
    if (shelf === undefined) {
      const perChunk = Math.floor(CHUNK_BYTES / Math.max(UNIT, size * UNIT));
      shelf = { chunks: [], perChunk, free: [], used: 0 };
      this.#shelves[size] = shelf;
    }
    return shelf;
  }
}

function newSlot(shelf: Shelf, length: number): number {
  const slot = shelf.used;
  shelf.used += 1;
  if (slot % shelf.perChunk === 0) shelf.chunks.push(new Uint8Array(shelf.perChunk * length));
  return slot;
}

function viewOf({ chunks, perChunk }: Shelf, slot: number, length: number): Uint8Array {
  const start = (slot % perChunk) * length;
  return chunks[Math.floor(slot / perChunk)]?.subarray(start, start + length) ?? NOTHING;
}

const NOTHING = new Uint8Array();
