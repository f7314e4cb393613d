import { xdr } from '@stellar/stellar-sdk';
import { sameAccount } from '../balances/index.ts';
import { beginSponsorship, isSponsoringOthers, sponsorOf } from '../sponsorship/index.ts';
import type { OperationRules } from './operation.ts';

const Result = xdr.BeginSponsoringFutureReservesResult;

/**
 * From here to the matching `End…`, the source pays for the new reserves of another account. An account cannot have two
 * sponsors at a time, and a sponsor cannot be sponsored (CAP-33).
 */
export const beginSponsoringFutureReserves: OperationRules<'beginSponsoringFutureReserves'> = {
  type: 'beginSponsoringFutureReserves',
  threshold: () => 'medium',
  checkValid({ beginSponsoringFutureReservesOp: { sponsoredId } }, source) {
    return sameAccount(sponsoredId, source)
      ? result(Result.beginSponsoringFutureReservesMalformed())
      : undefined;
  },
  apply({ ltx, source, body }) {
    const { sponsoredId } = body.beginSponsoringFutureReservesOp;
    if (sponsorOf(ltx, sponsoredId) !== undefined) {
      return result(Result.beginSponsoringFutureReservesAlreadySponsored());
    }
    if (sponsorOf(ltx, source) !== undefined || isSponsoringOthers(ltx, sponsoredId)) {
      return result(Result.beginSponsoringFutureReservesRecursive());
    }
    beginSponsorship(ltx, source, sponsoredId);
    return result(Result.beginSponsoringFutureReservesSuccess());
  },
};

function result(inner: xdr.BeginSponsoringFutureReservesResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.beginSponsoringFutureReserves(inner));
}
