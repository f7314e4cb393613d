import { xdr } from '@stellar/stellar-sdk';
import {
  areTrustlineFlagsValid,
  isAssetValid,
  isAuthRevocable,
  isIssuer,
  isTrustlineAuthValid,
  LedgerFault,
  peekAccount,
  sameAccount,
  TRUSTLINE_AUTH_MASK,
  TRUSTLINE_FLAG_MASK,
  TRUSTLINE_FLAGS,
} from '../balances/index.ts';
import { sponsorshipFailureResult } from '../sponsorship/index.ts';
import type { OperationRules } from './operation.ts';
import { loadIssuedLine, setTrustFlags } from './trustFlags.ts';

const R = xdr.SetTrustLineFlagsResult;

/** SetTrustLineFlags (CAP-35; stellar-core `SetTrustLineFlagsOpFrame.cpp`). */
export const setTrustLineFlags: OperationRules<'setTrustLineFlags'> = {
  type: 'setTrustLineFlags',
  threshold: () => 'low',

  checkValid({ setTrustLineFlagsOp: { asset, trustor, setFlags, clearFlags } }, source) {
    const valid =
      isAssetValid(asset) &&
      isIssuer(source, asset) &&
      !sameAccount(trustor, source) &&
      (setFlags & clearFlags) === 0 &&
      areTrustlineFlagsValid(setFlags) &&
      // Clawback is set when the trustline is created; the issuer can only clear it.
      (setFlags & TRUSTLINE_FLAGS.clawbackEnabled) === 0 &&
      (clearFlags & ~TRUSTLINE_FLAG_MASK) === 0;
    return valid ? undefined : result(R.setTrustLineFlagsMalformed());
  },

  apply(ctx) {
    const { asset, trustor, setFlags, clearFlags } = ctx.body.setTrustLineFlagsOp;
    const issuer = peekAccount(ctx.ltx, ctx.source);
    if (issuer === undefined) throw new LedgerFault('account_missing');
    const revokes =
      (clearFlags & TRUSTLINE_AUTH_MASK) !== 0 && (setFlags & TRUSTLINE_FLAGS.authorized) === 0;
    if (revokes && !isAuthRevocable(issuer)) return result(R.setTrustLineFlagsCantRevoke());

    const issued = loadIssuedLine(ctx, trustor, asset);
    if (issued === undefined) return result(R.setTrustLineFlagsNoTrustLine());
    const flags = (issued.line.flags & ~clearFlags) | setFlags;
    if (!isTrustlineAuthValid(flags)) return result(R.setTrustLineFlagsInvalidState());

    const failure = setTrustFlags(ctx, issued, flags);
    return failure === undefined
      ? result(R.setTrustLineFlagsSuccess())
      : sponsorshipFailureResult(failure, result(R.setTrustLineFlagsLowReserve()));
  },
};

function result(inner: xdr.SetTrustLineFlagsResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.setTrustLineFlags(inner));
}
