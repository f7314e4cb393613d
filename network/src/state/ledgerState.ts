import { xdr } from '@stellar/stellar-sdk';
import { sha256Latin1 } from '../../../common/machine/sha256.ts';
import { EntryStore } from './entryStore.ts';
import { entryXdr } from './entryXdr.ts';
import { type AccountIdString, accountIdString, type LedgerKeyId } from './ledgerKey.ts';
import type { CommitTarget } from './ledgerTxn.ts';
import type { EntryChange, OfferPlace, TransientKey } from './ledgerView.ts';
import { marketId, OrderBook } from './orderBook.ts';

const NO_IDS: ReadonlySet<LedgerKeyId> = new Set();

/** Called with each entry that a ledger changes. */
type StateObserver = (change: EntryChange) => void;

/**
 * The state of the ledger after the last close: all live entries, the archived entries, the header, and the indexes that
 * transaction processing needs.
 */
export class LedgerState implements CommitTarget {
  readonly #entries = new EntryStore();
  readonly #archived = new Map<LedgerKeyId, xdr.LedgerEntry>();
  readonly #orderBook = new OrderBook();
  readonly #offersByAccount = new Map<AccountIdString, Set<LedgerKeyId>>();
  readonly #poolSharesByAccount = new Map<AccountIdString, Set<LedgerKeyId>>();
  readonly #hash = new StateHash();
  readonly #observers = new Set<StateObserver>();
  #missed: Set<LedgerKeyId> | undefined;
  #header: xdr.LedgerHeader;

  constructor(header: xdr.LedgerHeader) {
    this.#header = header;
  }

  get header(): xdr.LedgerHeader {
    return this.#header;
  }

  set header(header: xdr.LedgerHeader) {
    this.#header = header;
  }

  /** Number of live entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** Hash of all live entries, which is in the header of every ledger closed here. */
  stateHash(): Buffer {
    return this.#hash.bytes();
  }

  peek(id: LedgerKeyId): xdr.LedgerEntry | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) this.#missed?.add(id);
    return entry;
  }

  /** Adds the ids of entries that `read` requests but that do not exist to `missed`. Returns the result of `read`. */
  noteMissed<T>(missed: Set<LedgerKeyId>, read: () => T): T {
    this.#missed = missed;
    try {
      return read();
    } finally {
      this.#missed = undefined;
    }
  }

  /** Like `peek`, for callers that read very many entries once: does not keep the decoded entry. */
  glance(id: LedgerKeyId): xdr.LedgerEntry | undefined {
    return this.#entries.glance(id);
  }

  /** Ids of all live entries. */
  ids(): IterableIterator<LedgerKeyId> {
    return this.#entries.ids();
  }

  /** An archived (evicted, persistent) entry: CAP-62's hot archive. */
  archived(id: LedgerKeyId): xdr.LedgerEntry | undefined {
    return this.#archived.get(id);
  }

  /** Puts an entry into the archive. The live entry is removed by the ledger that evicts it. */
  archive(id: LedgerKeyId, entry: xdr.LedgerEntry): void {
    this.#archived.set(id, entry);
  }

  unarchive(id: LedgerKeyId): void {
    this.#archived.delete(id);
  }

  peekBestOffer(
    selling: xdr.Asset,
    buying: xdr.Asset,
    after?: OfferPlace,
  ): xdr.LedgerEntry | undefined {
    const id = this.#orderBook.best(marketId(selling, buying), after);
    return id === undefined ? undefined : this.peek(id);
  }

  /** All offers that sell `selling` for `buying`, best first. */
  *offersOfMarket(selling: xdr.Asset, buying: xdr.Asset): Generator<xdr.LedgerEntry> {
    for (const id of this.#orderBook.offers(marketId(selling, buying))) {
      const entry = this.peek(id);
      if (entry !== undefined) yield entry;
    }
  }

  offersOf(account: AccountIdString): ReadonlySet<LedgerKeyId> {
    return this.#offersByAccount.get(account) ?? NO_IDS;
  }

  allOffers(): ReadonlySet<LedgerKeyId> {
    return new Set([...this.#offersByAccount.values()].flatMap((ids) => [...ids]));
  }

  poolShareTrustlinesOf(account: AccountIdString): ReadonlySet<LedgerKeyId> {
    return this.#poolSharesByAccount.get(account) ?? NO_IDS;
  }

  transient(): undefined {
    return undefined;
  }

  /** Discards the facts of a transaction, which never reach the ledger. */
  absorbTransients(_facts: ReadonlyMap<TransientKey, unknown>): void {}

  absorb(changes: Iterable<EntryChange>, header: xdr.LedgerHeader | undefined): void {
    for (const { id, before, after } of changes) {
      if (before === after) continue;
      if (before !== undefined) this.#unindex(id, before);
      if (after === undefined) this.#entries.delete(id);
      else this.put(id, after);
      for (const observer of this.#observers) observer({ id, before, after });
    }
    if (header !== undefined) this.#header = header;
  }

  /** Calls the observer with every change of an entry, for indexes kept elsewhere. Returns a function that removes it. */
  observe(observer: StateObserver): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** Stores an entry that is known not to exist yet or was unindexed: genesis, restore, commit. */
  put(id: LedgerKeyId, entry: xdr.LedgerEntry): void {
    this.#entries.set(id, entry);
    this.#hash.add(id, entryXdr(entry));
    this.#index(id, entry);
  }

  /**
   * Like `put`, for an entry given as canonical XDR. It is decoded when it is first read, or at once if an index needs its
   * content.
   */
  putXdr(id: LedgerKeyId, entry: Uint8Array): void {
    this.#entries.setXdr(id, entry);
    this.#hash.add(id, entry);
    if (isIndexed(entry)) this.#index(id, xdr.LedgerEntry.fromXdr(entry));
  }

  /** Every live entry with its id, as XDR, for snapshots. */
  *entries(): Generator<{ id: LedgerKeyId; xdr: Uint8Array }> {
    for (const id of this.#entries.ids()) {
      const bytes = this.#entries.xdr(id);
      if (bytes !== undefined) yield { id, xdr: bytes.slice() };
    }
  }

  /** Every archived entry with its id. */
  archivedEntries(): ReadonlyMap<LedgerKeyId, xdr.LedgerEntry> {
    return this.#archived;
  }

  #index(id: LedgerKeyId, { data }: xdr.LedgerEntry): void {
    if (data.type === 'offer') {
      this.#orderBook.add(data.offer, id);
      addTo(this.#offersByAccount, accountIdString(data.offer.sellerId), id);
    } else if (data.type === 'trustline' && data.trustLine.asset.type === 'assetTypePoolShare') {
      addTo(this.#poolSharesByAccount, accountIdString(data.trustLine.accountId), id);
    }
  }

  #unindex(id: LedgerKeyId, { data }: xdr.LedgerEntry): void {
    const bytes = this.#entries.xdr(id);
    if (bytes !== undefined) this.#hash.remove(id, bytes);
    if (data.type === 'offer') {
      this.#orderBook.remove(data.offer);
      removeFrom(this.#offersByAccount, accountIdString(data.offer.sellerId), id);
    } else if (data.type === 'trustline' && data.trustLine.asset.type === 'assetTypePoolShare') {
      removeFrom(this.#poolSharesByAccount, accountIdString(data.trustLine.accountId), id);
    }
  }
}

const TRUSTLINE = 1;
const OFFER = 2;
const POOL_SHARE = 3;

/** Offsets, in an entry's XDR, of its type and of a trustline's asset type. */
const ENTRY_TYPE_AT = 4;
const TRUSTLINE_ASSET_TYPE_AT = 44;

/** True for offers and pool share trustlines. */
function isIndexed(entry: Uint8Array): boolean {
  const view = new DataView(entry.buffer, entry.byteOffset, entry.byteLength);
  const type = view.getInt32(ENTRY_TYPE_AT);
  return (
    type === OFFER || (type === TRUSTLINE && view.getInt32(TRUSTLINE_ASSET_TYPE_AT) === POOL_SHARE)
  );
}

function addTo(
  index: Map<AccountIdString, Set<LedgerKeyId>>,
  account: AccountIdString,
  id: LedgerKeyId,
): void {
  const ids = index.get(account);
  if (ids === undefined) index.set(account, new Set([id]));
  else ids.add(id);
}

function removeFrom(
  index: Map<AccountIdString, Set<LedgerKeyId>>,
  account: AccountIdString,
  id: LedgerKeyId,
): void {
  const ids = index.get(account);
  ids?.delete(id);
  if (ids?.size === 0) index.delete(account);
}

const BYTES = 32;
const WORDS = BYTES / 4;
const WORD_LIMIT = 2 ** 32;

/**
 * A hash of the entire state whose cost depends only on what a ledger changed: the sum, modulo 2^256, of the SHA-256 of every
 * live entry. It detects lost, torn or duplicate writes; it does not withstand somebody who chooses entries to make two states
 * collide.
 *
 * In the header, it replaces the public network's bucket list hash.
 */
class StateHash {
  /** Words of 32 bits, most significant first. */
  readonly #sum = new Uint32Array(WORDS);

  add(id: LedgerKeyId, entry: Uint8Array): void {
    const hash = digest(id, entry);
    let carry = 0;
    for (let at = WORDS - 1; at >= 0; at -= 1) {
      const word = (this.#sum[at] ?? 0) + wordAt(hash, at) + carry;
      carry = word >= WORD_LIMIT ? 1 : 0;
      this.#sum[at] = word;
    }
  }

  remove(id: LedgerKeyId, entry: Uint8Array): void {
    const hash = digest(id, entry);
    let borrow = 0;
    for (let at = WORDS - 1; at >= 0; at -= 1) {
      const word = (this.#sum[at] ?? 0) - wordAt(hash, at) - borrow;
      borrow = word < 0 ? 1 : 0;
      this.#sum[at] = word;
    }
  }

  /** The 32 bytes of the sum, big-endian. */
  bytes(): Buffer {
    const bytes = Buffer.alloc(BYTES);
    for (const [at, word] of this.#sum.entries()) bytes.writeUInt32BE(word, 4 * at);
    return bytes;
  }
}

/** A word of a hash that is written one byte per character. */
function wordAt(hash: string, at: number): number {
  const first = 4 * at;
  return (
    hash.charCodeAt(first) * 2 ** 24 +
    (hash.charCodeAt(first + 1) << 16) +
    (hash.charCodeAt(first + 2) << 8) +
    hash.charCodeAt(first + 3)
  );
}

/** Key and entry, one after the other; reused for every hash. */
let hashed = Buffer.alloc(1 << 12);

/** One byte per character: a string costs less than a byte array object. */
function digest(id: LedgerKeyId, entry: Uint8Array): string {
  const length = id.length + entry.length;
  if (length > hashed.length) hashed = Buffer.alloc(2 * length);
  hashed.write(id, 'latin1');
  hashed.set(entry, id.length);
  return sha256Latin1(hashed.subarray(0, length));
}
