import type { xdr } from '@stellar/stellar-sdk';
import { type LedgerKeyId, type LedgerTxn, ledgerKeyId, ledgerKeyOf } from '../state/index.ts';
import { isPersistentKey } from '../transaction/index.ts';
import type { ContractState } from './contractState.ts';

/** The entries that left the live state at the end of a ledger. */
export interface Eviction {
  /** Entries and their TTLs, in the order in which they left. */
  readonly keys: xdr.LedgerKey[];
  /** The persistent entries among them, which go to the archive. */
  readonly archived: readonly { readonly id: LedgerKeyId; readonly entry: xdr.LedgerEntry }[];
}

/** A range of ledgers: those after one, up to and including another. */
export interface Stretch {
  readonly after: number;
  readonly last: number;
}

/** Removes the entries and TTLs that a ledger records as evicted. */
export function evictKeys(ltx: LedgerTxn, keys: readonly xdr.LedgerKey[]): Eviction {
  const archived: { id: LedgerKeyId; entry: xdr.LedgerEntry }[] = [];
  for (const key of keys) {
    const id = ledgerKeyId(key);
    const entry = ltx.peek(id);
    if (entry === undefined) continue;
    ltx.erase(id);
    if (isPersistentKey(key)) archived.push({ id, entry });
  }
  return { keys: [...keys], archived };
}

/**
 * The entries to evict in a ledger: those whose TTL ran out before it, oldest first, as many as the network allows in one
 * ledger. Public networks find them by scanning their buckets, which takes days longer; an expired entry is treated the same
 * before and after its eviction.
 */
export function expiredKeys(
  ltx: LedgerTxn,
  contracts: ContractState,
  limit: number,
): xdr.LedgerKey[] {
  const { ledgerSeq } = ltx.header;
  const keys: xdr.LedgerKey[] = [];
  let count = 0;
  for (const { entryId, ttlId } of contracts.expired(ledgerSeq)) {
    if (count === limit) break;
    const ttl = ltx.peek(ttlId);
    // It may have been extended, restored or deleted in this very ledger.
    if (ttl?.data.type !== 'ttl' || ttl.data.ttl.liveUntilLedgerSeq >= ledgerSeq) continue;
    keys.push(ledgerKeyOf(entryId), ledgerKeyOf(ttlId));
    count += 1;
  }
  return keys;
}

/**
 * What a sequence of ledgers without transactions would evict, in order: an entry leaves in the first ledger with room after
 * the last one in which it is live.
 */
export function expiredWithin(
  contracts: ContractState,
  { after, last }: Stretch,
  limit: number,
): xdr.LedgerKey[] {
  const keys: xdr.LedgerKey[] = [];
  if (limit < 1) return keys;
  let ledger = after + 1;
  let room = limit;
  for (const { entryId, ttlId, liveUntil } of contracts.expired(last)) {
    if (liveUntil >= ledger || room === 0) {
      ledger = Math.max(ledger, liveUntil) + 1;
      room = limit;
    }
    if (ledger > last) break;
    keys.push(ledgerKeyOf(entryId), ledgerKeyOf(ttlId));
    room -= 1;
  }
  return keys;
}
