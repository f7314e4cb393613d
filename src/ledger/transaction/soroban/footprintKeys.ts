import type { xdr } from '@stellar/stellar-sdk';
import { type LedgerKeyId, ledgerKeyId, ttlKeyHash, ttlKeyIdOfHash } from '../../state/index.ts';
import type { InnerTransaction } from '../envelope/index.ts';

/** The TTL entry that belongs to a contract's entry. */
export interface TtlKey {
  readonly id: LedgerKeyId;
  /** SHA-256 of the entry's key. */
  readonly hash: Uint8Array;
}

/** A key of a footprint, with what every rule asks of it. */
export interface FootprintKey {
  readonly key: xdr.LedgerKey;
  readonly id: LedgerKeyId;
  /** Bytes of the key's XDR. */
  readonly size: number;
  /** Only contract data and contract code have one. */
  readonly ttl: TtlKey | undefined;
}

const known = new WeakMap<xdr.LedgerKey, FootprintKey>();

/** Examines a key of a footprint. The result is remembered as long as the key itself exists. */
export function footprintKey(key: xdr.LedgerKey): FootprintKey {
  const before = known.get(key);
  if (before !== undefined) return before;
  const id = ledgerKeyId(key);
  const found = { key, id, size: id.length, ttl: isSorobanKey(key) ? ttlKey(id) : undefined };
  known.set(key, found);
  return found;
}

function ttlKey(of: LedgerKeyId): TtlKey {
  const hash = ttlKeyHash(of);
  return { id: ttlKeyIdOfHash(hash), hash };
}

/** True for the keys of contract data and contract code, which have a TTL. */
export function isSorobanKey(key: xdr.LedgerKey): boolean {
  return key.type === 'contractData' || key.type === 'contractCode';
}

/** True for Soroban entries that are archived when they expire, rather than lost. */
export function isPersistentKey(key: xdr.LedgerKey): boolean {
  if (key.type === 'contractCode') return true;
  return key.type === 'contractData' && key.contractData.durability.name === 'persistent';
}

/** Positions in the read-write footprint of the archived entries that the transaction restores. */
export function archivedIndices(data: xdr.SorobanTransactionData): readonly number[] {
  return data.ext.type === 'v0' ? [] : data.ext.resourceExt.archivedSorobanEntries;
}

/**
 * Entries that count as read from disk: classic ones, and archived ones that are restored. For
 * RestoreFootprint, all (stellar-core `getNumDiskReadEntries`).
 */
export function diskReadEntries(tx: InnerTransaction): number {
  const { sorobanData } = tx;
  if (sorobanData === undefined) return 0;
  const { readOnly, readWrite } = sorobanData.resources.footprint;
  if (tx.operations[0]?.body.type === 'restoreFootprint') return readWrite.length;
  const classic = [...readOnly, ...readWrite].filter((key) => !isSorobanKey(key));
  return classic.length + archivedIndices(sorobanData).length;
}
