import { xdr } from '@stellar/stellar-sdk';
import { accountOfMuxed } from '../balances/index.ts';
import {
  arePathAssetsValid,
  convertReceiving,
  hasDestination,
  type PathFailure,
} from '../exchange/index.ts';
import type { OperationContext, OperationRules } from './operation.ts';
import { type CreditFailure, credit, type DebitFailure, debit } from './transferLegs.ts';

const R = xdr.PathPaymentStrictReceiveResult;

/**
 * Pays an exact amount of one asset with as much of another as the path needs, up to a maximum. The
 * destination is credited first, the source charged last
 * (stellar-core `PathPaymentStrictReceiveOpFrame.cpp`).
 */
export const pathPaymentStrictReceive: OperationRules<'pathPaymentStrictReceive'> = {
  type: 'pathPaymentStrictReceive',
  threshold: () => 'medium',
  checkValid({ pathPaymentStrictReceiveOp: op }) {
    const isValid =
      op.destAmount > 0n &&
      op.sendMax > 0n &&
      arePathAssetsValid(op.sendAsset, op.destAsset, op.path);
    return isValid ? undefined : result(R.pathPaymentStrictReceiveMalformed());
  },
  apply,
};

function apply(ctx: OperationContext<'pathPaymentStrictReceive'>): xdr.OperationResult {
  const { ltx, source, muxedSource, frozenKeys, events } = ctx;
  const op = ctx.body.pathPaymentStrictReceiveOp;
  const { sendAsset, destAsset, destAmount } = op;
  const destination = accountOfMuxed(op.destination);

  if (!hasDestination(ltx, destination, op)) {
    return result(R.pathPaymentStrictReceiveNoDestination());
  }
  const creditFailure = credit(ltx, destination, destAsset, destAmount);
  if (creditFailure !== undefined) return result(CREDIT_FAILURES[creditFailure]());

  const path = [sendAsset, ...op.path, destAsset];
  const conversion = convertReceiving(ltx, source, path, destAmount, frozenKeys);
  if (!conversion.ok) return PATH_FAILURES[conversion.failure]();
  if (conversion.amount > op.sendMax) return result(R.pathPaymentStrictReceiveOverSendmax());
  const debitFailure = debit(ltx, source, sendAsset, conversion.amount);
  if (debitFailure !== undefined) return result(DEBIT_FAILURES[debitFailure]());

  events.claims(muxedSource, conversion.claims);
  events.transfer(destAsset, muxedSource, op.destination, destAmount, {
    allowMuxedIdOrMemo: true,
  });
  const success = new xdr.PathPaymentStrictReceiveResultSuccess({
    offers: [...conversion.claims],
    last: new xdr.SimplePaymentResult({ destination, asset: destAsset, amount: destAmount }),
  });
  return result(R.pathPaymentStrictReceiveSuccess(success));
}

const CREDIT_FAILURES: Record<CreditFailure, () => xdr.PathPaymentStrictReceiveResult> = {
  noTrust: () => R.pathPaymentStrictReceiveNoTrust(),
  notAuthorized: () => R.pathPaymentStrictReceiveNotAuthorized(),
  lineFull: () => R.pathPaymentStrictReceiveLineFull(),
};

const DEBIT_FAILURES: Record<DebitFailure, () => xdr.PathPaymentStrictReceiveResult> = {
  noTrust: () => R.pathPaymentStrictReceiveSrcNoTrust(),
  notAuthorized: () => R.pathPaymentStrictReceiveSrcNotAuthorized(),
  underfunded: () => R.pathPaymentStrictReceiveUnderfunded(),
};

const PATH_FAILURES: Record<PathFailure, () => xdr.OperationResult> = {
  tooFewOffers: () => result(R.pathPaymentStrictReceiveTooFewOffers()),
  offerCrossSelf: () => result(R.pathPaymentStrictReceiveOfferCrossSelf()),
  exceededWorkLimit: () => xdr.OperationResult.opExceededWorkLimit(),
};

function result(inner: xdr.PathPaymentStrictReceiveResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.pathPaymentStrictReceive(inner));
}
