import type { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import { LedgerFault, mustLoadAccount, newEntry, sameAccount } from '../balances/index.ts';
import { addSubEntries } from './counters.ts';
import { establishEntrySponsorship, releaseEntrySponsorship } from './entrySponsorship.ts';
import { entrySponsor, isSubEntry, reservesOf } from './reserves.ts';
import type { SponsorshipFailure } from './sponsorshipFailure.ts';
import { assertCounted, whyNotCreate, whyNotCreateSponsored } from './sponsorshipLimits.ts';
import { sponsorOf } from './sponsorshipSession.ts';

/** A new entry whose reserve is paid, to pass to `ltx.create`, or the reason the reserve cannot be paid. */
export type PaidEntry =
  | { readonly ok: true; readonly entry: xdr.LedgerEntry }
  | { readonly ok: false; readonly failure: SponsorshipFailure };

/**
 * Pays the reserve of a new entry from the sponsor's balance if the owner is being sponsored, otherwise from the owner's. A new
 * account is its own owner. A claimable balance is not a sub-entry, and its creator counts as its sponsor. Changes the
 * accounts' counters (so accounts read before are stale afterwards) but does not create the entry. (CAP-33; stellar-core
 * `SponsorshipUtils.cpp`, `createEntryWithPossibleSponsorship`)
 */
export function payReserveOfNewEntry(
  ltx: LedgerTxn,
  data: xdr.LedgerEntryData,
  owner: xdr.PublicKey,
): PaidEntry {
  const { header } = ltx;
  const ownerAccount = data.type === 'account' ? data.account : mustLoadAccount(ltx, owner);
  const sponsored = data.type === 'claimableBalance' ? undefined : ownerAccount;
  const sponsor = sponsorOf(ltx, owner) ?? (sponsored === undefined ? owner : undefined);

  if (sponsor === undefined) {
    const failure = whyNotCreate(header, data, ownerAccount);
    if (failure !== undefined) return { ok: false, failure };
    if (isSubEntry(data)) addSubEntries(ltx, owner, reservesOf(data));
    return { ok: true, entry: newEntry(data) };
  }

  const sponsorAccount = mustLoadAccount(ltx, sponsor);
  const failure = whyNotCreateSponsored(header, data, sponsorAccount, sponsored);
  if (failure !== undefined) return { ok: false, failure };
  if (isSubEntry(data)) addSubEntries(ltx, owner, reservesOf(data));
  const entry = establishEntrySponsorship(
    ltx,
    newEntry(data),
    sponsor,
    sponsored === undefined ? undefined : owner,
  );
  return { ok: true, entry };
}

/**
 * Returns the reserve of an entry that is about to be erased to its sponsor or its owner.
 * Changes the accounts' counters but does not erase the entry.
 * (stellar-core `SponsorshipUtils.cpp`, `removeEntryWithPossibleSponsorship`)
 */
export function returnReserveOfEntry(
  ltx: LedgerTxn,
  entry: xdr.LedgerEntry,
  owner: xdr.PublicKey,
): void {
  const { data } = entry;
  const reserves = reservesOf(data);
  const ownerAccount = mustLoadAccount(ltx, owner);
  const sponsor = entrySponsor(entry);

  if (sponsor !== undefined) {
    const isClaimableBalance = data.type === 'claimableBalance';
    if (!isClaimableBalance && sameAccount(sponsor, owner)) {
      throw new LedgerFault('sponsorship_mismatch');
    }
    const sponsored = isClaimableBalance ? undefined : ownerAccount;
    assertCounted(reserves, mustLoadAccount(ltx, sponsor), sponsored);
    releaseEntrySponsorship(ltx, entry, isClaimableBalance ? undefined : owner);
  }
  if (isSubEntry(data)) addSubEntries(ltx, owner, -reserves);
}
