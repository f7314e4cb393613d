import type { xdr } from '@stellar/stellar-sdk';
import { type LedgerState, ledgerKeyId, ttlKeyId } from '../state/index.ts';
import { isPersistentKey, isSorobanKey } from '../transaction/index.ts';

/** An entry as clients and simulations read it. */
export interface FoundEntry {
  readonly entry: xdr.LedgerEntry;
  /** Null for entries without a TTL; 0 for archived ones, evicted or not. */
  readonly liveUntil: number | null;
}

/**
 * Finds an entry, archived ones included; temporary entries are gone once they expired, evicted or not
 * (stellar-core `QueryServer.cpp`, `getledgerentry`).
 */
export function storedEntry(state: LedgerState, key: xdr.LedgerKey): FoundEntry | undefined {
  const id = ledgerKeyId(key);
  const entry = state.peek(id);
  if (!isSorobanKey(key)) return entry && { entry, liveUntil: null };
  if (entry === undefined) {
    const archived = state.archived(id);
    return archived && { entry: archived, liveUntil: 0 };
  }
  const ttl = state.peek(ttlKeyId(id));
  const liveUntil = ttl?.data.type === 'ttl' ? ttl.data.ttl.liveUntilLedgerSeq : 0;
  if (liveUntil >= state.header.ledgerSeq) return { entry, liveUntil };
  return isPersistentKey(key) ? { entry, liveUntil: 0 } : undefined;
}
