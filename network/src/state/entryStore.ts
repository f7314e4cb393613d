import { xdr } from '@stellar/stellar-sdk';
import { decodeXdr } from '../xdr/index.ts';
import { entryXdr, rememberEntryXdr } from './entryXdr.ts';
import type { LedgerKeyId } from './ledgerKey.ts';

/** Number of entries that stay decoded, because ledgers and clients use them repeatedly. */
const DECODED_ENTRIES = 1 << 14;

/**
 * Entries by key, kept as XDR: a million accounts cost only their bytes, not an object each. Recently used entries are also
 * kept decoded.
 */
export class EntryStore {
  readonly #places = new Map<LedgerKeyId, BytesPlace>();
  readonly #bytes = new PackedBytes();
  readonly #decoded = new RecentMap<LedgerKeyId, xdr.LedgerEntry>(DECODED_ENTRIES);

  get size(): number {
    return this.#places.size;
  }

  ids(): IterableIterator<LedgerKeyId> {
    return this.#places.keys();
  }

  get(id: LedgerKeyId): xdr.LedgerEntry | undefined {
    const known = this.#decoded.get(id);
    if (known !== undefined) return known;
    const place = this.#places.get(id);
    if (place === undefined) return undefined;
    const bytes = this.#bytes.view(place).slice();
    const entry = decodeXdr(xdr.LedgerEntry, bytes);
    rememberEntryXdr(entry, bytes);
    this.#decoded.set(id, entry);
    return entry;
  }

  /** Like `get`, but does not keep the decoded entry. */
  glance(id: LedgerKeyId): xdr.LedgerEntry | undefined {
    const known = this.#decoded.get(id);
    if (known !== undefined) return known;
    const bytes = this.xdr(id);
    return bytes && decodeXdr(xdr.LedgerEntry, bytes);
  }

  /** The XDR of an entry, without a copy: valid until the store changes. */
  xdr(id: LedgerKeyId): Uint8Array | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#bytes.view(place);
  }

  set(id: LedgerKeyId, entry: xdr.LedgerEntry): void {
    this.#place(id, entryXdr(entry));
    this.#decoded.set(id, entry);
  }

  /** @param bytes the entry's canonical XDR */
  setXdr(id: LedgerKeyId, bytes: Uint8Array): void {
    this.#place(id, bytes);
    this.#decoded.delete(id);
  }

  delete(id: LedgerKeyId): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#places.delete(id);
    this.#bytes.remove(place);
    this.#decoded.delete(id);
  }

  #place(id: LedgerKeyId, bytes: Uint8Array): void {
    const before = this.#places.get(id);
    const place =
      before === undefined ? this.#bytes.add(bytes) : this.#bytes.replace(before, bytes);
    if (place !== before) this.#places.set(id, place);
  }
}

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

/**
 * Keeps the recently used keys: at least the last `limit`, at most twice as many. A key that is used again stays.
 */
export class RecentMap<K, V extends object> {
  readonly #limit: number;
  #newer = new Map<K, V>();
  #older = new Map<K, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: K): V | undefined {
    const newer = this.#newer.get(key);
    if (newer !== undefined) return newer;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    if (this.#newer.size >= this.#limit && !this.#newer.has(key)) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
  }

  delete(key: K): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }
}
