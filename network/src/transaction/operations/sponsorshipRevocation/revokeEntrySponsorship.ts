import { xdr } from '@stellar/stellar-sdk';
import { type LedgerTxn, ledgerKeyId } from '../../../state/index.ts';
import { LedgerFault, mustLoadAccount, sameAccount } from '../../balances/index.ts';
import {
  entrySponsor,
  establishEntrySponsorship,
  releaseEntrySponsorship,
  reservesOf,
  type SponsorshipFailure,
  transferEntrySponsorship,
  whyNotEstablish,
  whyNotRelease,
} from '../../sponsorship/index.ts';
import { nextSponsor, revokeOutcome, revokeResult } from './revokeOutcome.ts';

const { RevokeSponsorshipResult } = xdr;

/** Changes who pays for an entry, at the request of the account that currently pays. */
export function revokeEntrySponsorship(
  ltx: LedgerTxn,
  source: xdr.PublicKey,
  key: xdr.LedgerKey,
): xdr.OperationResult {
  const entry = ltx.load(ledgerKeyId(key));
  if (entry === undefined) {
    return revokeResult(RevokeSponsorshipResult.revokeSponsorshipDoesNotExist());
  }
  const before = entrySponsor(entry);
  const owner = ownerOf(entry, before);
  if (!sameAccount(before ?? owner, source)) {
    return revokeResult(RevokeSponsorshipResult.revokeSponsorshipNotSponsor());
  }
  const after = nextSponsor(ltx, source, owner);
  if (after === undefined && entry.data.type === 'claimableBalance') {
    return revokeResult(RevokeSponsorshipResult.revokeSponsorshipOnlyTransferable());
  }
  return revokeOutcome(move(ltx, entry, owner, before, after));
}

function move(
  ltx: LedgerTxn,
  entry: xdr.LedgerEntry,
  owner: xdr.PublicKey,
  before: xdr.PublicKey | undefined,
  after: xdr.PublicKey | undefined,
): SponsorshipFailure | undefined {
  const { header } = ltx;
  const reserves = reservesOf(entry.data);
  if (before !== undefined && after !== undefined) {
    const oldSponsor = mustLoadAccount(ltx, before);
    const newSponsor = mustLoadAccount(ltx, after);
    const failure =
      whyNotRelease(header, reserves, oldSponsor, undefined) ??
      whyNotEstablish(header, reserves, newSponsor, undefined);
    if (failure !== undefined) return failure;
    ltx.update(transferEntrySponsorship(ltx, entry, after));
  } else if (before !== undefined) {
    const sponsor = mustLoadAccount(ltx, before);
    const failure = whyNotRelease(header, reserves, sponsor, mustLoadAccount(ltx, owner));
    if (failure !== undefined) return failure;
    ltx.update(releaseEntrySponsorship(ltx, entry, owner));
  } else if (after !== undefined) {
    const sponsor = mustLoadAccount(ltx, after);
    const failure = whyNotEstablish(header, reserves, sponsor, mustLoadAccount(ltx, owner));
    if (failure !== undefined) return failure;
    ltx.update(establishEntrySponsorship(ltx, entry, after, owner));
  }
  return undefined;
}

/** The owner of an entry; a claimable balance belongs to its sponsor until it is claimed. */
function ownerOf(entry: xdr.LedgerEntry, sponsor: xdr.PublicKey | undefined): xdr.PublicKey {
  const { data } = entry;
  switch (data.type) {
    case 'account':
      return data.account.accountId;
    case 'trustline':
      return data.trustLine.accountId;
    case 'offer':
      return data.offer.sellerId;
    case 'data':
      return data.data.accountId;
    case 'claimableBalance':
      if (sponsor !== undefined) return sponsor;
      throw new LedgerFault('sponsorship_mismatch');
    default:
      throw new LedgerFault('unsponsorable_entry');
  }
}
