import { xdr } from '@stellar/stellar-sdk';
import type { LedgerView } from '../../../state/index.ts';
import { sameAccount } from '../../balances/index.ts';
import {
  type SponsorshipFailure,
  sponsorOf,
  sponsorshipFailureResult,
} from '../../sponsorship/index.ts';

const { RevokeSponsorshipResult } = xdr;

/** The result of a revocation: why the reserves cannot move, or success. */
export function revokeOutcome(failure: SponsorshipFailure | undefined): xdr.OperationResult {
  return failure === undefined
    ? revokeResult(RevokeSponsorshipResult.revokeSponsorshipSuccess())
    : sponsorshipFailureResult(
        failure,
        revokeResult(RevokeSponsorshipResult.revokeSponsorshipLowReserve()),
      );
}

/**
 * The account that pays after the source revokes: the current sponsor of the source or, if that is the owner or nobody, the
 * owner (undefined).
 */
export function nextSponsor(
  view: LedgerView,
  source: xdr.PublicKey,
  owner: xdr.PublicKey,
): xdr.PublicKey | undefined {
  const sponsor = sponsorOf(view, source);
  return sponsor === undefined || sameAccount(sponsor, owner) ? undefined : sponsor;
}

export function revokeResult(inner: xdr.RevokeSponsorshipResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.revokeSponsorship(inner));
}
