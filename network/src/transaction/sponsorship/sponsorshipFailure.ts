import { xdr } from '@stellar/stellar-sdk';
import { LedgerFault } from '../balances/index.ts';

/** Why a reserve cannot be paid, transferred or returned. */
export type SponsorshipFailure =
  | 'lowReserve'
  | 'tooManySubentries'
  | 'tooManySponsoring'
  | 'tooManySponsored';

/**
 * The result of an operation that could not get a reserve: its own code for a low reserve, the outer codes for full counters.
 * Throws for `tooManySponsored`, which the limit on sub-entries makes impossible.
 */
export function sponsorshipFailureResult(
  failure: SponsorshipFailure,
  lowReserve: xdr.OperationResult,
): xdr.OperationResult {
  switch (failure) {
    case 'lowReserve':
      return lowReserve;
    case 'tooManySubentries':
      return xdr.OperationResult.opTooManySubentries();
    case 'tooManySponsoring':
      return xdr.OperationResult.opTooManySponsoring();
    case 'tooManySponsored':
      throw new LedgerFault('sponsorship_result');
  }
}
