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
