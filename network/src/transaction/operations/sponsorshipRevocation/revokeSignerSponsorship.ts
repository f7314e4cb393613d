import { xdr } from '@stellar/stellar-sdk';
import type { LedgerTxn } from '../../../state/index.ts';
import { loadAccount, mustLoadAccount, sameAccount, signerSponsors } from '../../balances/index.ts';
import {
  establishSignerSponsorship,
  findSigner,
  releaseSignerSponsorship,
  type SponsorshipFailure,
  transferSignerSponsorship,
  whyNotEstablish,
  whyNotRelease,
} from '../../sponsorship/index.ts';
import { nextSponsor, revokeOutcome, revokeResult } from './revokeOutcome.ts';

const { RevokeSponsorshipResult } = xdr;

/** Changes who pays for a signer, at the request of the account that currently pays. */
export function revokeSignerSponsorship(
  ltx: LedgerTxn,
  source: xdr.PublicKey,
  { accountId: owner, signerKey }: xdr.RevokeSponsorshipOpSigner,
): xdr.OperationResult {
  const account = loadAccount(ltx, owner);
  const found = account === undefined ? undefined : findSigner(account.signers, signerKey);
  if (account === undefined || found?.signer === undefined) {
    return revokeResult(RevokeSponsorshipResult.revokeSponsorshipDoesNotExist());
  }
  const { index } = found;
  const before = signerSponsors(account)[index] ?? undefined;
  if (!sameAccount(before ?? owner, source)) {
    return revokeResult(RevokeSponsorshipResult.revokeSponsorshipNotSponsor());
  }
  const after = nextSponsor(ltx, source, owner);
  return revokeOutcome(move(ltx, account, index, before, after));
}

function move(
  ltx: LedgerTxn,
  account: xdr.AccountEntry,
  index: number,
  before: xdr.PublicKey | undefined,
  after: xdr.PublicKey | undefined,
): SponsorshipFailure | undefined {
  const { header } = ltx;
  const owner = account.accountId;
  if (before !== undefined && after !== undefined) {
    const oldSponsor = mustLoadAccount(ltx, before);
    const newSponsor = mustLoadAccount(ltx, after);
    const failure =
      whyNotRelease(header, 1, oldSponsor, undefined) ??
      whyNotEstablish(header, 1, newSponsor, undefined);
    if (failure !== undefined) return failure;
    transferSignerSponsorship(ltx, owner, index, after);
  } else if (before !== undefined) {
    const failure = whyNotRelease(header, 1, mustLoadAccount(ltx, before), account);
    if (failure !== undefined) return failure;
    releaseSignerSponsorship(ltx, owner, index);
  } else if (after !== undefined) {
    const failure = whyNotEstablish(header, 1, mustLoadAccount(ltx, after), account);
    if (failure !== undefined) return failure;
    establishSignerSponsorship(ltx, owner, index, after);
  }
  return undefined;
}
