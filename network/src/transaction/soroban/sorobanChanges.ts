import { xdr } from '@stellar/stellar-sdk';
import { type LedgerKeyId, ledgerKeyOf, rememberEntryXdr } from '../../state/index.ts';
import { encodeXdr } from '../../xdr/index.ts';
import type { FootprintKey } from './footprintKeys.ts';
import type { SorobanLedger } from './sorobanLedger.ts';

/** The changes of one Soroban transaction, which reach the ledger only if it succeeds. */
export class SorobanChanges {
  readonly #ledger: SorobanLedger;
  readonly #entries = new Map<LedgerKeyId, xdr.LedgerEntry | undefined>();
  readonly #restored = new Map<LedgerKeyId, Restored>();

  constructor(ledger: SorobanLedger) {
    this.#ledger = ledger;
  }

  get ledgerSeq(): number {
    return this.#ledger.ltx.header.ledgerSeq;
  }

  get closeTime(): bigint {
    return this.#ledger.ltx.header.scpValue.closeTime;
  }

  peek(id: LedgerKeyId): xdr.LedgerEntry | undefined {
    return this.#entries.has(id) ? this.#entries.get(id) : this.#ledger.ltx.peek(id);
  }

  /** True if an earlier transaction of this ledger restored the entry. */
  wasRestored(id: LedgerKeyId): boolean {
    return this.#ledger.restored.has(id);
  }

  /** An entry in the archive, unless this ledger has already restored it. */
  archived(id: LedgerKeyId): xdr.LedgerEntry | undefined {
    return this.wasRestored(id) ? undefined : this.#ledger.archived(id);
  }

  put(id: LedgerKeyId, entry: xdr.LedgerEntry): void {
    this.#entries.set(id, this.asOfNow(entry));
  }

  /** Like `put`, for an entry whose XDR is known except for the ledger that modified it. */
  putFromHost(id: LedgerKeyId, entry: xdr.LedgerEntry, bytes: Uint8Array): void {
    const put = this.asOfNow(entry);
    const exact = Buffer.from(bytes);
    exact.writeUInt32BE(put.lastModifiedLedgerSeq);
    rememberEntryXdr(put, exact);
    this.#entries.set(id, put);
  }

  /** The entry as modified by this ledger. */
  asOfNow(entry: xdr.LedgerEntry): xdr.LedgerEntry {
    const lastModifiedLedgerSeq = this.ledgerSeq;
    return entry.lastModifiedLedgerSeq === lastModifiedLedgerSeq
      ? entry
      : new xdr.LedgerEntry({ ...entry, lastModifiedLedgerSeq });
  }

  /** Erases an entry; false if it does not exist. */
  erase(id: LedgerKeyId): boolean {
    if (this.peek(id) === undefined) return false;
    this.#entries.set(id, undefined);
    return true;
  }

  /** Records a restored entry and its value. */
  noteRestored(restored: Restored): void {
    this.#restored.set(restored.id, restored);
  }

  /**
   * The changes as meta. An entry of which only the TTL was restored did not itself change, but RestoreFootprint reports it.
   */
  toMeta(tellUnchanged: boolean): xdr.LedgerEntryChange[] {
    const before = (id: LedgerKeyId): xdr.LedgerEntry | undefined => this.#ledger.ltx.peek(id);
    return restoredChanges(this.#entries, before, this.#restored, this.ledgerSeq, tellUnchanged);
  }

  /** Passes the changes to the ledger, postponing TTLs extended through read-only keys. */
  commit(readOnly: readonly FootprintKey[]): void {
    const { ltx } = this.#ledger;
    const postponed = new Set(readOnly.map(({ ttl }) => ttl?.id));
    for (const [id, entry] of this.#entries) {
      const exists = ltx.peek(id) !== undefined;
      if (entry === undefined) {
        if (exists) ltx.erase(id);
        this.#ledger.forget(id);
      } else if (!exists) {
        ltx.create(entry);
      } else if (entry.data.type === 'ttl' && postponed.has(id)) {
        this.#ledger.postpone(id, entry.data.ttl.liveUntilLedgerSeq);
      } else {
        ltx.update(entry);
      }
    }
    for (const id of this.#restored.keys()) this.#ledger.restored.add(id);
  }
}

const Change = xdr.LedgerEntryChange;

/** A restored entry, with its former value. */
interface Restored {
  readonly id: LedgerKeyId;
  readonly entry: xdr.LedgerEntry;
  /** Whether it had already left the live state. */
  readonly fromArchive: boolean;
}

/**
 * The changes of a Soroban operation as meta. A restored entry is listed as RESTORED with its restored value, followed by the
 * operation's changes to it, if any (stellar-core `processOpLedgerEntryChanges`).
 */
export function restoredChanges(
  after: ReadonlyMap<LedgerKeyId, xdr.LedgerEntry | undefined>,
  before: (id: LedgerKeyId) => xdr.LedgerEntry | undefined,
  restored: ReadonlyMap<LedgerKeyId, Restored>,
  ledgerSeq: number,
  tellUnchanged: boolean,
): xdr.LedgerEntryChange[] {
  const changes: xdr.LedgerEntryChange[] = [];
  for (const [id, entry] of after) {
    changes.push(...changesOf(id, before(id), entry, restored.get(id), ledgerSeq));
  }
  if (tellUnchanged) {
    for (const { id, entry } of restored.values()) {
      if (!after.has(id)) changes.push(Change.ledgerEntryRestored(entry));
    }
  }
  return changes;
}

function changesOf(
  id: LedgerKeyId,
  before: xdr.LedgerEntry | undefined,
  after: xdr.LedgerEntry | undefined,
  restored: Restored | undefined,
  ledgerSeq: number,
): xdr.LedgerEntryChange[] {
  if (restored !== undefined) {
    if (after !== undefined && sameData(after, restored.entry)) {
      return [Change.ledgerEntryRestored(after)];
    }
    const old = restored.fromArchive ? restored.entry : (before ?? restored.entry);
    const back = new xdr.LedgerEntry({ ...old, lastModifiedLedgerSeq: ledgerSeq });
    return [Change.ledgerEntryRestored(back), endOf(id, after)];
  }
  if (before !== undefined) return [Change.ledgerEntryState(before), endOf(id, after)];
  return after === undefined ? [] : [Change.ledgerEntryCreated(after)];
}

function endOf(id: LedgerKeyId, after: xdr.LedgerEntry | undefined): xdr.LedgerEntryChange {
  return after === undefined
    ? Change.ledgerEntryRemoved(ledgerKeyOf(id))
    : Change.ledgerEntryUpdated(after);
}

function sameData(a: xdr.LedgerEntry, b: xdr.LedgerEntry): boolean {
  return a.data === b.data || Buffer.compare(encodeXdr(a.data), encodeXdr(b.data)) === 0;
}
