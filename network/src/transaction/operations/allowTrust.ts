import { xdr } from '@stellar/stellar-sdk';
import {
  areTrustlineFlagsValid,
  assetOfCode,
  isAssetValid,
  isAuthorized,
  isAuthRevocable,
  LedgerFault,
  peekAccount,
  sameAccount,
  TRUSTLINE_AUTH_MASK,
  TRUSTLINE_FLAGS,
} from '../balances/index.ts';
import { sponsorshipFailureResult } from '../sponsorship/index.ts';
import type { OperationRules } from './operation.ts';
import { loadIssuedLine, setTrustFlags } from './trustFlags.ts';

const R = xdr.AllowTrustResult;

/** AllowTrust (CAP-18; stellar-core `AllowTrustOpFrame.cpp`, `TrustFlagsOpFrameBase.cpp`). */
export const allowTrust: OperationRules<'allowTrust'> = {
  type: 'allowTrust',
  threshold: () => 'low',

  checkValid({ allowTrustOp: { asset, authorize, trustor } }, source) {
    const valid =
      authorize <= TRUSTLINE_FLAGS.authorizedToMaintainLiabilities &&
      areTrustlineFlagsValid(authorize) &&
      isAssetValid(assetOfCode(source, asset)) &&
      !sameAccount(trustor, source);
    return valid ? undefined : result(R.allowTrustMalformed());
  },

  apply(ctx) {
    const { asset, authorize, trustor } = ctx.body.allowTrustOp;
    const issuer = peekAccount(ctx.ltx, ctx.source);
    if (issuer === undefined) throw new LedgerFault('account_missing');
    const mayRevoke = isAuthRevocable(issuer);
    if (!mayRevoke && authorize === 0) return result(R.allowTrustCantRevoke());

    const issued = loadIssuedLine(ctx, trustor, assetOfCode(ctx.source, asset));
    if (issued === undefined) return result(R.allowTrustNoTrustLine());
    const flags = (issued.line.flags & ~TRUSTLINE_AUTH_MASK) | authorize;
    const restricts = (flags & TRUSTLINE_FLAGS.authorizedToMaintainLiabilities) !== 0;
    if (!mayRevoke && isAuthorized(issued.line) && restricts) {
      return result(R.allowTrustCantRevoke());
    }

    const failure = setTrustFlags(ctx, issued, flags);
    return failure === undefined
      ? result(R.allowTrustSuccess())
      : sponsorshipFailureResult(failure, result(R.allowTrustLowReserve()));
  },
};

function result(inner: xdr.AllowTrustResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.allowTrust(inner));
}
