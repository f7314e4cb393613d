import { xdr } from '@stellar/stellar-sdk';
import { type LedgerKeyId, rememberEntryXdr } from '../../state/index.ts';
import type { FootprintKey } from './footprintKeys.ts';
import { type Restored, restoredChanges } from './restoredChanges.ts';
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
