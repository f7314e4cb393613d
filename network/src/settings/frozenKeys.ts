import type { xdr } from '@stellar/stellar-sdk';
import { type LedgerKeyId, ledgerKeyIdOfXdr } from '../state/index.ts';

/**
 * The ledger keys that the network has frozen, and the transactions that are allowed to touch them anyway (CAP-77). These are
 * network settings and almost always empty.
 */
export interface FrozenKeys {
  /** True if anything is frozen: a cheap check that usually makes all others unnecessary. */
  readonly any: boolean;
  has(id: LedgerKeyId): boolean;
  /** True for the hash of an exempt transaction (of the fee bump, if it is one). */
  bypasses(transactionHash: Uint8Array): boolean;
}

/** Nothing is frozen. */
export const noFrozenKeys: FrozenKeys = { any: false, has: () => false, bypasses: () => false };

/** The frozen keys, as listed in the network's two settings. */
export function frozenKeysOf(keys: xdr.FrozenLedgerKeys, bypass: xdr.FreezeBypassTxs): FrozenKeys {
  if (keys.keys.length === 0) return noFrozenKeys;
  const frozen = new Set(keys.keys.map((key) => ledgerKeyIdOfXdr(key.value)));
  const exempt = new Set(bypass.txHashes.map((hash) => hex(hash.value)));
  return {
    any: true,
    has: (id) => frozen.has(id),
    bypasses: (hash) => exempt.has(hex(hash)),
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
