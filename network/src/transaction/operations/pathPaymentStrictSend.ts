import { xdr } from '@stellar/stellar-sdk';
import { accountOfMuxed } from '../balances/index.ts';
import {
  arePathAssetsValid,
  convertSending,
  hasDestination,
  type PathFailure,
} from '../exchange/index.ts';
import type { OperationContext, OperationRules } from './operation.ts';
import { type CreditFailure, credit, type DebitFailure, debit } from './transferLegs.ts';

const R = xdr.PathPaymentStrictSendResult;

/**
 * Sends an exact amount of one asset to pay as much of another as the path yields, down to a minimum.
 * The source is charged first, the destination credited last
 * (CAP-24; stellar-core `PathPaymentStrictSendOpFrame.cpp`).
 */
export const pathPaymentStrictSend: OperationRules<'pathPaymentStrictSend'> = {
  type: 'pathPaymentStrictSend',
  threshold: () => 'medium',
  checkValid({ pathPaymentStrictSendOp: op }) {
    const isValid =
      op.sendAmount > 0n &&
      op.destMin > 0n &&
      arePathAssetsValid(op.sendAsset, op.destAsset, op.path);
    return isValid ? undefined : result(R.pathPaymentStrictSendMalformed());
  },
  apply,
};

function apply(ctx: OperationContext<'pathPaymentStrictSend'>): xdr.OperationResult {
  const { ltx, source, muxedSource, frozenKeys, events } = ctx;
  const op = ctx.body.pathPaymentStrictSendOp;
  const { sendAsset, destAsset, sendAmount } = op;
  const destination = accountOfMuxed(op.destination);

  if (!hasDestination(ltx, destination, op)) {
    return result(R.pathPaymentStrictSendNoDestination());
  }
  const debitFailure = debit(ltx, source, sendAsset, sendAmount);
  if (debitFailure !== undefined) return result(DEBIT_FAILURES[debitFailure]());

  const path = [sendAsset, ...op.path, destAsset];
  const conversion = convertSending(ltx, source, path, sendAmount, frozenKeys);
  if (!conversion.ok) return PATH_FAILURES[conversion.failure]();
  const { amount, claims } = conversion;
  if (amount < op.destMin) return result(R.pathPaymentStrictSendUnderDestmin());
  const creditFailure = credit(ltx, destination, destAsset, amount);
  if (creditFailure !== undefined) return result(CREDIT_FAILURES[creditFailure]());

  events.claims(muxedSource, claims);
  events.transfer(destAsset, muxedSource, op.destination, amount, { allowMuxedIdOrMemo: true });
  const success = new xdr.PathPaymentStrictSendResultSuccess({
    offers: [...claims],
    last: new xdr.SimplePaymentResult({ destination, asset: destAsset, amount }),
  });
  return result(R.pathPaymentStrictSendSuccess(success));
}

const CREDIT_FAILURES: Record<CreditFailure, () => xdr.PathPaymentStrictSendResult> = {
  noTrust: () => R.pathPaymentStrictSendNoTrust(),
  notAuthorized: () => R.pathPaymentStrictSendNotAuthorized(),
  lineFull: () => R.pathPaymentStrictSendLineFull(),
};

const DEBIT_FAILURES: Record<DebitFailure, () => xdr.PathPaymentStrictSendResult> = {
  noTrust: () => R.pathPaymentStrictSendSrcNoTrust(),
  notAuthorized: () => R.pathPaymentStrictSendSrcNotAuthorized(),
  underfunded: () => R.pathPaymentStrictSendUnderfunded(),
};

const PATH_FAILURES: Record<PathFailure, () => xdr.OperationResult> = {
  tooFewOffers: () => result(R.pathPaymentStrictSendTooFewOffers()),
  offerCrossSelf: () => result(R.pathPaymentStrictSendOfferCrossSelf()),
  exceededWorkLimit: () => xdr.OperationResult.opExceededWorkLimit(),
};

function result(inner: xdr.PathPaymentStrictSendResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.pathPaymentStrictSend(inner));
}
