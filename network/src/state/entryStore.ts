import { xdr } from '@stellar/stellar-sdk';
import { decodeXdr } from '../xdr/index.ts';
import { entryXdr, rememberEntryXdr } from './entryXdr.ts';
import type { LedgerKeyId } from './ledgerKey.ts';
import { type BytesPlace, PackedBytes } from './packedBytes.ts';
import { RecentMap } from './recentMap.ts';

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
