import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerKeyId } from '../../state/index.ts';
import type { TtlKey } from './footprintKeys.ts';
import type { SorobanChanges } from './sorobanChanges.ts';
import { ttlEntry, withLiveUntil } from './sorobanLedger.ts';

/** An archived entry: either in the live state with an expired TTL, or in the archive. */
export interface Archived {
  readonly entry: xdr.LedgerEntry;
  /** Undefined if the entry is in the archive. */
  readonly liveTtl: xdr.LedgerEntry | undefined;
}

/** Restores an archived entry with a new TTL and records the restoration. */
export function bringBack(
  changes: SorobanChanges,
  id: LedgerKeyId,
  ttl: TtlKey,
  { entry, liveTtl }: Archived,
  liveUntil: number,
): void {
  const fromArchive = liveTtl === undefined;
  const newTtl = fromArchive ? ttlEntry(ttl.hash, liveUntil) : withLiveUntil(liveTtl, liveUntil);
  if (fromArchive) changes.put(id, entry);
  changes.put(ttl.id, newTtl);
  changes.noteRestored({ id, entry, fromArchive });
  changes.noteRestored({ id: ttl.id, entry: newTtl, fromArchive });
}
