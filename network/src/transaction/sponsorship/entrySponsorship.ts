import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../state/index.ts';
import { LedgerFault } from '../balances/index.ts';
import { addSponsored, addSponsoring, withSponsoredMore } from './counters.ts';
import { entrySponsor, reservesOf } from './reserves.ts';

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
