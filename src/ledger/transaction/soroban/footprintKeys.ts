import type { xdr } from '@stellar/stellar-sdk';
import type { InnerTransaction } from '../envelope/index.ts';

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
