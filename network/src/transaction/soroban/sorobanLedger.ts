import { xdr } from '@stellar/stellar-sdk';
import type { LedgerKeyId, LedgerTxn } from '../../state/index.ts';

/** Reads an entry that was archived before this ledger. */
export type ReadArchive = (id: LedgerKeyId) => xdr.LedgerEntry | undefined;

/**
 * The ledger during the Soroban phase: the state after earlier transactions of the phase, the archive, and postponed TTL
 * extensions.
 *
 * A TTL extension through a read-only key is not visible to later transactions of the cluster until one of them has the key in
 * its read-write footprint, and not to other clusters until the stage ends. This makes extensions commutative (CAP-63;
 * stellar-core `ParallelApplyUtils.cpp`).
 */
export class SorobanLedger {
  readonly ltx: LedgerTxn;
  readonly archived: ReadArchive;
  /** Keys of entries restored from the archive in this ledger. */
  readonly restored = new Set<LedgerKeyId>();
  readonly #cluster = new Map<LedgerKeyId, number>();
  readonly #stage = new Map<LedgerKeyId, number>();

  constructor(ltx: LedgerTxn, archived: ReadArchive) {
    this.ltx = ltx;
    this.archived = archived;
  }

  /** Postpones an extension made through a read-only key. */
  postpone(ttlId: LedgerKeyId, liveUntil: number): void {
    raise(this.#cluster, ttlId, liveUntil);
  }

  /** Applies a postponed extension before a transaction that can write the entry. */
  release(ttlId: LedgerKeyId): void {
    const liveUntil = this.#cluster.get(ttlId);
    if (liveUntil === undefined) return;
    this.#cluster.delete(ttlId);
    this.#extend(ttlId, liveUntil);
  }

  endCluster(): void {
    for (const [ttlId, liveUntil] of this.#cluster) raise(this.#stage, ttlId, liveUntil);
    this.#cluster.clear();
  }

  endStage(): void {
    for (const [ttlId, liveUntil] of this.#stage) {
      const entry = this.ltx.peek(ttlId);
      if (entry?.data.type === 'ttl' && entry.data.ttl.liveUntilLedgerSeq < liveUntil) {
        this.#extend(ttlId, liveUntil);
      }
    }
    this.#stage.clear();
  }

  /** Discards the postponed extension of a deleted entry. */
  forget(ttlId: LedgerKeyId): void {
    this.#cluster.delete(ttlId);
  }

  #extend(ttlId: LedgerKeyId, liveUntil: number): void {
    const entry = this.ltx.peek(ttlId);
    if (entry?.data.type === 'ttl') this.ltx.update(withLiveUntil(entry, liveUntil));
  }
}

function raise(extensions: Map<LedgerKeyId, number>, id: LedgerKeyId, liveUntil: number): void {
  extensions.set(id, Math.max(extensions.get(id) ?? 0, liveUntil));
}

/** A TTL entry for the hash of a key. The ledger that records it sets its sequence. */
export function ttlEntry(keyHash: Uint8Array, liveUntilLedgerSeq: number): xdr.LedgerEntry {
  return new xdr.LedgerEntry({
    lastModifiedLedgerSeq: 0,
    data: xdr.LedgerEntryData.ttl(new xdr.TtlEntry({ keyHash, liveUntilLedgerSeq })),
    ext: xdr.LedgerEntryExt.v0(),
  });
}

/** The TTL entry with another last ledger. */
export function withLiveUntil(entry: xdr.LedgerEntry, liveUntilLedgerSeq: number): xdr.LedgerEntry {
  if (entry.data.type !== 'ttl') return entry;
  const data = xdr.LedgerEntryData.ttl(new xdr.TtlEntry({ ...entry.data.ttl, liveUntilLedgerSeq }));
  return new xdr.LedgerEntry({ ...entry, data });
}
