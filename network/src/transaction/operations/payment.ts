import { xdr } from '@stellar/stellar-sdk';
import {
  accountOfMuxed,
  isAssetValid,
  isIssuer,
  isNative,
  peekAccount,
  sameAccount,
} from '../balances/index.ts';
import type { OperationContext, OperationRules } from './operation.ts';
import { type CreditFailure, credit, type DebitFailure, debit } from './transferLegs.ts';

const { PaymentResult } = xdr;

/**
 * Moves an amount of one asset. The destination is credited before the source is charged, as in
 * a path payment without a path; a destination that issues the asset does not have to exist
 * (stellar-core `PaymentOpFrame.cpp`).
 */
export const payment: OperationRules<'payment'> = {
  type: 'payment',
  threshold: () => 'medium',
  checkValid({ paymentOp: { amount, asset } }) {
    return amount <= 0n || !isAssetValid(asset)
      ? result(PaymentResult.paymentMalformed())
      : undefined;
  },
  apply,
};

function apply(ctx: OperationContext<'payment'>): xdr.OperationResult {
  const { destination, asset, amount } = ctx.body.paymentOp;
  const to = accountOfMuxed(destination);
  const isNativeToSelf = isNative(asset) && sameAccount(to, ctx.source);
  if (!isNativeToSelf) {
    const failure = move(ctx, to);
    if (failure !== undefined) return result(failure);
  }
  ctx.events.transfer(asset, ctx.muxedSource, destination, amount, { allowMuxedIdOrMemo: true });
  return result(PaymentResult.paymentSuccess());
}

function move(
  { ltx, source, body }: OperationContext<'payment'>,
  to: xdr.PublicKey,
): xdr.PaymentResult | undefined {
  const { asset, amount } = body.paymentOp;
  if (!isIssuer(to, asset) && peekAccount(ltx, to) === undefined) {
    return PaymentResult.paymentNoDestination();
  }
  const creditFailure = credit(ltx, to, asset, amount);
  if (creditFailure !== undefined) return CREDIT_FAILURES[creditFailure]();
  const debitFailure = debit(ltx, source, asset, amount);
  return debitFailure === undefined ? undefined : DEBIT_FAILURES[debitFailure]();
}

const CREDIT_FAILURES: Record<CreditFailure, () => xdr.PaymentResult> = {
  noTrust: () => PaymentResult.paymentNoTrust(),
  notAuthorized: () => PaymentResult.paymentNotAuthorized(),
  lineFull: () => PaymentResult.paymentLineFull(),
};

const DEBIT_FAILURES: Record<DebitFailure, () => xdr.PaymentResult> = {
  noTrust: () => PaymentResult.paymentSrcNoTrust(),
  notAuthorized: () => PaymentResult.paymentSrcNotAuthorized(),
  underfunded: () => PaymentResult.paymentUnderfunded(),
};

function result(inner: xdr.PaymentResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.payment(inner));
}
