import type { xdr } from '@stellar/stellar-sdk';
import { type LedgerKeyId, ledgerKeyId, ttlKeyHash, ttlKeyIdOfHash } from '../../state/index.ts';
import type { InnerTransaction } from '../envelope/index.ts';

/** The TTL entry of a contract entry. */
export interface TtlKey {
  readonly id: LedgerKeyId;
  /** SHA-256 of the entry's key. */
  readonly hash: Uint8Array;
}

/** A footprint key, with everything that the rules need precomputed. */
export interface FootprintKey {
  readonly key: xdr.LedgerKey;
  readonly id: LedgerKeyId;
  /** Size of the key's XDR in bytes. */
  readonly size: number;
  /** Only for contract data and contract code. */
  readonly ttl: TtlKey | undefined;
}

const known = new WeakMap<xdr.LedgerKey, FootprintKey>();

/** Examines a footprint key. The result is cached as long as the key exists. */
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

/** True for Soroban entries that are archived rather than lost when they expire. */
export function isPersistentKey(key: xdr.LedgerKey): boolean {
  if (key.type === 'contractCode') return true;
  return key.type === 'contractData' && key.contractData.durability.name === 'persistent';
}

/** Positions in the read-write footprint of the archived entries that the transaction restores. */
export function archivedIndices(data: xdr.SorobanTransactionData): readonly number[] {
  return data.ext.type === 'v0' ? [] : data.ext.resourceExt.archivedSorobanEntries;
}

/**
 * Number of entries that count as read from disk: classic ones, and archived ones that are restored. For
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
