import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import {
  LedgerFault,
  mustLoadAccount,
  numSponsored,
  numSponsoring,
  updateAccount,
  withAccountExtensionV2,
} from '../balances/index.ts';

/** Adds to the number of reserves that an account pays for others; loads and stores the account. */
export function addSponsoring(ltx: LedgerTxn, sponsor: xdr.PublicKey, delta: number): void {
  const account = mustLoadAccount(ltx, sponsor);
  const count = nonNegative(numSponsoring(account) + delta);
  updateAccount(ltx, withAccountExtensionV2(account, { numSponsoring: count }));
}

/** The account with this many more reserves paid by others. */
export function withSponsoredMore(account: xdr.AccountEntry, delta: number): xdr.AccountEntry {
  return withAccountExtensionV2(account, {
    numSponsored: nonNegative(numSponsored(account) + delta),
  });
}

/** Adds to the number of an account's reserves that others pay; loads and stores the account. */
export function addSponsored(ltx: LedgerTxn, owner: xdr.PublicKey, delta: number): void {
  updateAccount(ltx, withSponsoredMore(mustLoadAccount(ltx, owner), delta));
}

/** Adds to the number of an account's sub-entries; loads and stores the account. */
export function addSubEntries(ltx: LedgerTxn, owner: xdr.PublicKey, delta: number): void {
  const account = mustLoadAccount(ltx, owner);
  const numSubEntries = nonNegative(account.numSubEntries + delta);
  updateAccount(ltx, new xdr.AccountEntry({ ...account, numSubEntries }));
}

function nonNegative(count: number): number {
  if (count < 0) throw new LedgerFault('sponsorship_counter');
  return count;
}

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
