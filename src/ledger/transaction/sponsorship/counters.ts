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

/** Adds to the number of reserves that an account pays for others; loads and puts it. */
export function addSponsoring(ltx: LedgerTxn, sponsor: xdr.PublicKey, delta: number): void {
  const account = mustLoadAccount(ltx, sponsor);
  const count = nonNegative(numSponsoring(account) + delta);
  updateAccount(ltx, withAccountExtensionV2(account, { numSponsoring: count }));
}

/** An account for which others pay this many reserves more. */
export function withSponsoredMore(account: xdr.AccountEntry, delta: number): xdr.AccountEntry {
  return withAccountExtensionV2(account, {
    numSponsored: nonNegative(numSponsored(account) + delta),
  });
}

/** Adds to the number of reserves of an account that others pay; loads and puts it. */
export function addSponsored(ltx: LedgerTxn, owner: xdr.PublicKey, delta: number): void {
  updateAccount(ltx, withSponsoredMore(mustLoadAccount(ltx, owner), delta));
}

/** Adds to the number of an account's sub-entries; loads and puts it. */
export function addSubEntries(ltx: LedgerTxn, owner: xdr.PublicKey, delta: number): void {
  const account = mustLoadAccount(ltx, owner);
  const numSubEntries = nonNegative(account.numSubEntries + delta);
  updateAccount(ltx, new xdr.AccountEntry({ ...account, numSubEntries }));
}

function nonNegative(count: number): number {
  if (count < 0) throw new LedgerFault('sponsorship_counter');
  return count;
}
