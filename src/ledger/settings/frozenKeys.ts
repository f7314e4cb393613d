import type { xdr } from '@stellar/stellar-sdk';
import { type LedgerKeyId, ledgerKeyIdOfXdr } from '../state/index.ts';

/**
 * The ledger keys that the network has frozen, and the transactions that may touch them all the
 * same (CAP-77). Settings of the network; almost always empty.
 */
export interface FrozenKeys {
  /** True where anything is frozen: the cheap question that spares all others. */
  readonly any: boolean;
  has(id: LedgerKeyId): boolean;
  /** True for the hash of a transaction (of the fee bump, where it is one) that is exempt. */
  bypasses(transactionHash: Uint8Array): boolean;
}

/** Nothing is frozen. */
export const noFrozenKeys: FrozenKeys = { any: false, has: () => false, bypasses: () => false };

/** The frozen keys as the two settings of the network list them. */
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
