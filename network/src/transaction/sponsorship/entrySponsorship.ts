import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import { LedgerFault, mustLoadAccount, newEntry, sameAccount } from '../balances/index.ts';
import {
  addSponsored,
  addSponsoring,
  addSubEntries,
  entrySponsor,
  isSubEntry,
  reservesOf,
  withSponsoredMore,
} from './counters.ts';
import type { SponsorshipFailure } from './sponsorshipFailure.ts';
import { assertCounted, whyNotCreate, whyNotCreateSponsored } from './sponsorshipLimits.ts';
import { sponsorOf } from './sponsorshipSession.ts';

/**
 * Makes `sponsor` pay for the entry. Counts the reserves for the sponsor and, if there is one, for the owner (an account entry
 * is its own owner; a claimable balance has none), and returns the entry to store. The caller checks first whether the
 * sponsorship is allowed.
 */
export function establishEntrySponsorship(
  ltx: LedgerTxn,
  entry: xdr.LedgerEntry,
  sponsor: xdr.PublicKey,
  owner: xdr.PublicKey | undefined,
): xdr.LedgerEntry {
  const reserves = reservesOf(entry.data);
  addSponsoring(ltx, sponsor, reserves);
  return withSponsor(countAtOwner(ltx, entry, owner, reserves), sponsor);
}

/** Makes the owner pay for the entry again: the reverse of `establishEntrySponsorship`. */
export function releaseEntrySponsorship(
  ltx: LedgerTxn,
  entry: xdr.LedgerEntry,
  owner: xdr.PublicKey | undefined,
): xdr.LedgerEntry {
  const reserves = reservesOf(entry.data);
  addSponsoring(ltx, mustHaveSponsor(entry), -reserves);
  return withSponsor(countAtOwner(ltx, entry, owner, -reserves), null);
}

/** Makes another account pay for a sponsored entry. */
export function transferEntrySponsorship(
  ltx: LedgerTxn,
  entry: xdr.LedgerEntry,
  newSponsor: xdr.PublicKey,
): xdr.LedgerEntry {
  const reserves = reservesOf(entry.data);
  addSponsoring(ltx, newSponsor, reserves);
  addSponsoring(ltx, mustHaveSponsor(entry), -reserves);
  return withSponsor(entry, newSponsor);
}

/** The sponsor of an entry. Throws if there is none. */
function mustHaveSponsor(entry: xdr.LedgerEntry): xdr.PublicKey {
  const sponsor = entrySponsor(entry);
  if (sponsor === undefined) throw new LedgerFault('sponsorship_mismatch');
  return sponsor;
}

function countAtOwner(
  ltx: LedgerTxn,
  entry: xdr.LedgerEntry,
  owner: xdr.PublicKey | undefined,
  delta: number,
): xdr.LedgerEntry {
  if (entry.data.type === 'account') {
    const account = withSponsoredMore(entry.data.account, delta);
    return new xdr.LedgerEntry({ ...entry, data: xdr.LedgerEntryData.account(account) });
  }
  if (owner !== undefined) addSponsored(ltx, owner, delta);
  return entry;
}

function withSponsor(entry: xdr.LedgerEntry, sponsoringId: xdr.PublicKey | null): xdr.LedgerEntry {
  const v1 = new xdr.LedgerEntryExtensionV1({
    sponsoringId,
    ext: xdr.LedgerEntryExtensionV1Ext.v0(),
  });
  return new xdr.LedgerEntry({ ...entry, ext: xdr.LedgerEntryExt.v1(v1) });
}

/** A new entry whose reserve is paid, to pass to `ltx.create`, or the reason the reserve cannot be paid. */
type PaidEntry =
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
