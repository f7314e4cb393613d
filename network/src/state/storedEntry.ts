import type { xdr } from '@stellar/stellar-sdk';
import { type LedgerKeyId, ttlKeyId } from './ledgerKey.ts';
import type { LedgerState } from './ledgerState.ts';

/** An entry as clients and simulations read it. */
export interface FoundEntry {
  readonly entry: xdr.LedgerEntry;
  /** Null for entries without a TTL; 0 for archived ones, evicted or not. */
  readonly liveUntil: number | null;
}

/** Discriminants of `LedgerEntryType`, in the fourth byte of a key. */
const CONTRACT_DATA = 6;
const CONTRACT_CODE = 7;
/** Discriminant of `ContractDataDurability`, in the last byte of a key of contract data. */
const PERSISTENT = 1;

/**
 * Finds an entry, including archived ones. Temporary entries no longer exist once they have expired, evicted or not
 * (stellar-core `QueryServer.cpp`, `getledgerentry`). The kind of key is read from its bytes, because decoding the keys of a
 * simulation takes longer than looking them up.
 */
export function storedEntry(state: LedgerState, id: LedgerKeyId): FoundEntry | undefined {
  const entry = state.peek(id);
  const type = id.charCodeAt(3);
  if (type !== CONTRACT_DATA && type !== CONTRACT_CODE) return entry && { entry, liveUntil: null };
  if (entry === undefined) {
    const archived = state.archived(id);
    return archived && { entry: archived, liveUntil: 0 };
  }
  const ttl = state.peek(ttlKeyId(id));
  const liveUntil = ttl?.data.type === 'ttl' ? ttl.data.ttl.liveUntilLedgerSeq : 0;
  if (liveUntil >= state.header.ledgerSeq) return { entry, liveUntil };
  const persistent = type === CONTRACT_CODE || id.charCodeAt(id.length - 1) === PERSISTENT;
  return persistent ? { entry, liveUntil: 0 } : undefined;
}
