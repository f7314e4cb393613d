import type { xdr } from '@stellar/stellar-sdk';
import { LedgerFault } from '../balances/index.ts';

/** The number of base reserves that an entry costs (CAP-33). */
export function reservesOf(data: xdr.LedgerEntryData): number {
  switch (data.type) {
    case 'account':
      return 2;
    case 'trustline':
      return data.trustLine.asset.type === 'assetTypePoolShare' ? 2 : 1;
    case 'offer':
    case 'data':
      return 1;
    case 'claimableBalance':
      return data.claimableBalance.claimants.length;
    default:
      throw new LedgerFault('unsponsorable_entry');
  }
}

/** True if an entry counts among its owner's sub-entries. */
export function isSubEntry(data: xdr.LedgerEntryData): boolean {
  switch (data.type) {
    case 'account':
    case 'claimableBalance':
      return false;
    case 'trustline':
    case 'offer':
    case 'data':
      return true;
    default:
      throw new LedgerFault('unsponsorable_entry');
  }
}

/** The sponsor of an entry, if any. */
export function entrySponsor(entry: xdr.LedgerEntry): xdr.PublicKey | undefined {
  return entry.ext.type === 'v1' ? (entry.ext.v1.sponsoringId ?? undefined) : undefined;
}
