import { xdr } from '@stellar/stellar-sdk';
import {
  type AccountIdString,
  accountIdString,
  entryKeyId,
  type LedgerKeyId,
  ledgerKeyOf,
} from './ledgerKey.ts';
import type { EntryChange, LedgerView, OfferPlace, TransientKey } from './ledgerView.ts';
import { comparePlaces, type MarketId, marketId, OrderBook } from './orderBook.ts';

/** The parent of a nested transaction, which receives its changes when it commits. */
export interface CommitTarget extends LedgerView {
  absorb(changes: Iterable<EntryChange>, header: xdr.LedgerHeader | undefined): void;
  absorbTransients(facts: ReadonlyMap<TransientKey, unknown>): void;
}

const NO_IDS: ReadonlySet<LedgerKeyId> = new Set();

/**
 * A nested, revocable set of changes over a ledger, like stellar-core's `LedgerTxn`.
 *
 * `peek` reads; `load`, `create`, `update` and `erase` also record. A recorded entry gets this ledger's sequence as
 * `lastModifiedLedgerSeq` and appears in the meta even if its value stays the same. stellar-core writes its meta that way, so
 * whether a rule reads or records is visible to everyone who reads the ledger.
 *
 * Entries are immutable values; they are changed by storing a copy.
 */
export class LedgerTxn implements CommitTarget {
  readonly #parent: CommitTarget;
  readonly #entries = new Map<LedgerKeyId, xdr.LedgerEntry | undefined>();
  readonly #ownOffers = new OrderBook();
  /** For each market, the position up to which all offers of the parent are recorded here or removed. */
  readonly #overlaid = new Map<MarketId, OfferPlace>();
  readonly #transients = new Map<TransientKey, unknown>();
  #header: xdr.LedgerHeader | undefined;
  #closed = false;

  constructor(parent: CommitTarget) {
    this.#parent = parent;
  }

  get header(): xdr.LedgerHeader {
    return this.#header ?? this.#parent.header;
  }

  set header(header: xdr.LedgerHeader) {
    this.#header = header;
  }

  peek(id: LedgerKeyId): xdr.LedgerEntry | undefined {
    return this.#entries.has(id) ? this.#entries.get(id) : this.#parent.peek(id);
  }

  /** Reads an entry and records it as touched. */
  load(id: LedgerKeyId): xdr.LedgerEntry | undefined {
    const entry = this.peek(id);
    if (entry !== undefined) this.#put(id, entry);
    return entry;
  }

  /** Adds an entry. Throws if it already exists, which is an error of the caller, not of a user. */
  create(entry: xdr.LedgerEntry): void {
    const id = entryKeyId(entry);
    if (this.peek(id) !== undefined) throw new LedgerStateError('entry_exists', id);
    this.#put(id, entry);
  }

  /** Replaces an entry. Throws if it does not exist. */
  update(entry: xdr.LedgerEntry): void {
    const id = entryKeyId(entry);
    if (this.peek(id) === undefined) throw new LedgerStateError('entry_missing', id);
    this.#put(id, entry);
  }

  /** Removes an entry. Throws if it does not exist. */
  erase(id: LedgerKeyId): void {
    const entry = this.peek(id);
    if (entry === undefined) throw new LedgerStateError('entry_missing', id);
    this.#forgetOffer(id);
    this.#entries.set(id, undefined);
  }

  peekBestOffer(
    selling: xdr.Asset,
    buying: xdr.Asset,
    after?: OfferPlace,
  ): xdr.LedgerEntry | undefined {
    const market = marketId(selling, buying);
    const ownId = this.#ownOffers.best(market, after);
    const own = ownId === undefined ? undefined : this.#entries.get(ownId);
    const overlaid = this.#overlaid.get(market);
    const fromStart = after === undefined || isBehind(overlaid, after);
    let place = fromStart ? overlaid : after;
    for (;;) {
      const entry = this.#parent.peekBestOffer(selling, buying, place);
      if (entry?.data.type !== 'offer') return own;
      const { offer } = entry.data;
      if (own?.data.type === 'offer' && comparePlaces(own.data.offer, offer) < 0) return own;
      if (!this.#entries.has(entryKeyId(entry))) return entry;
      place = { price: offer.price, offerId: offer.offerId };
      if (fromStart) this.#overlaid.set(market, place);
    }
  }

  offersOf(account: AccountIdString): ReadonlySet<LedgerKeyId> {
    return this.#overlay(this.#parent.offersOf(account), (entry) =>
      entry.data.type === 'offer' ? accountIdString(entry.data.offer.sellerId) === account : false,
    );
  }

  allOffers(): ReadonlySet<LedgerKeyId> {
    return this.#overlay(this.#parent.allOffers(), ({ data }) => data.type === 'offer');
  }

  poolShareTrustlinesOf(account: AccountIdString): ReadonlySet<LedgerKeyId> {
    return this.#overlay(this.#parent.poolShareTrustlinesOf(account), (entry) =>
      entry.data.type === 'trustline' && entry.data.trustLine.asset.type === 'assetTypePoolShare'
        ? accountIdString(entry.data.trustLine.accountId) === account
        : false,
    );
  }

  transient(key: TransientKey): unknown {
    return this.#transients.has(key) ? this.#transients.get(key) : this.#parent.transient(key);
  }

  setTransient(key: TransientKey, fact: unknown): void {
    this.#transients.set(key, fact);
  }

  /** Creates a nested set of changes over this one. */
  child(): LedgerTxn {
    return new LedgerTxn(this);
  }

  /** Every recorded entry with its value here and in the parent, in the order of first recording. */
  *entryChanges(): Generator<EntryChange> {
    for (const [id, after] of this.#entries) {
      const before = this.#parent.peek(id);
      if (before !== undefined || after !== undefined) yield { id, before, after };
    }
  }

  /** The recorded changes as meta: STATE before UPDATED or REMOVED, or CREATED alone. */
  changes(): xdr.LedgerEntryChange[] {
    const out: xdr.LedgerEntryChange[] = [];
    for (const change of this.entryChanges()) pushChange(out, change);
    return out;
  }

  /** Passes all changes to the parent. The transaction cannot be used afterwards. */
  commit(): void {
    if (this.#closed) throw new LedgerStateError('txn_closed');
    this.#closed = true;
    this.#parent.absorb(this.entryChanges(), this.#header);
    this.#parent.absorbTransients(this.#transients);
  }

  absorb(changes: Iterable<EntryChange>, header: xdr.LedgerHeader | undefined): void {
    for (const { id, after } of changes) {
      if (after === undefined) {
        this.#forgetOffer(id);
        this.#entries.set(id, undefined);
      } else {
        this.#set(id, after);
      }
    }
    if (header !== undefined) this.#header = header;
  }

  absorbTransients(facts: ReadonlyMap<TransientKey, unknown>): void {
    for (const [key, fact] of facts) this.#transients.set(key, fact);
  }

  #put(id: LedgerKeyId, entry: xdr.LedgerEntry): void {
    const { ledgerSeq } = this.header;
    this.#set(
      id,
      entry.lastModifiedLedgerSeq === ledgerSeq
        ? entry
        : new xdr.LedgerEntry({ ...entry, lastModifiedLedgerSeq: ledgerSeq }),
    );
  }

  #set(id: LedgerKeyId, entry: xdr.LedgerEntry): void {
    this.#forgetOffer(id);
    this.#entries.set(id, entry);
    if (entry.data.type === 'offer') this.#ownOffers.add(entry.data.offer, id);
  }

  #forgetOffer(id: LedgerKeyId): void {
    const known = this.#entries.get(id);
    if (known?.data.type === 'offer') this.#ownOffers.remove(known.data.offer);
  }

  #overlay(
    below: ReadonlySet<LedgerKeyId>,
    belongs: (entry: xdr.LedgerEntry) => boolean,
  ): ReadonlySet<LedgerKeyId> {
    const ids = new Set(below);
    for (const [id, entry] of this.#entries) {
      if (entry === undefined || !belongs(entry)) ids.delete(id);
      else ids.add(id);
    }
    return ids.size === 0 ? NO_IDS : ids;
  }
}

function isBehind(place: OfferPlace | undefined, other: OfferPlace): boolean {
  return place !== undefined && comparePlaces(place, other) >= 0;
}

function pushChange(out: xdr.LedgerEntryChange[], { id, before, after }: EntryChange): void {
  if (before !== undefined) out.push(xdr.LedgerEntryChange.ledgerEntryState(before));
  if (after === undefined) out.push(xdr.LedgerEntryChange.ledgerEntryRemoved(ledgerKeyOf(id)));
  else if (before === undefined) out.push(xdr.LedgerEntryChange.ledgerEntryCreated(after));
  else out.push(xdr.LedgerEntryChange.ledgerEntryUpdated(after));
}

type LedgerStateErrorCode = 'entry_exists' | 'entry_missing' | 'txn_closed';

const MESSAGES: Record<LedgerStateErrorCode, string> = {
  entry_exists: 'an entry with this key already exists',
  entry_missing: 'no entry with this key exists',
  txn_closed: 'this nested transaction was already committed',
};

/** A rule of transaction processing made an impossible change, which is a bug in the rule. */
export class LedgerStateError extends Error {
  override readonly name = 'LedgerStateError';
  readonly code: LedgerStateErrorCode;

  constructor(code: LedgerStateErrorCode, keyId?: string) {
    const key = keyId === undefined ? '' : ` (key ${Buffer.from(keyId, 'latin1').toString('hex')})`;
    super(MESSAGES[code] + key);
    this.code = code;
  }
}
