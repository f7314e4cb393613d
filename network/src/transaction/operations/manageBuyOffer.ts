import { xdr } from '@stellar/stellar-sdk';
import {
  inversePrice,
  isOfferRequestValid,
  manageOffer,
  type OfferFailure,
  type OfferRequest,
} from '../exchange/index.ts';
import { sponsorshipFailureResult } from '../sponsorship/index.ts';
import type { OperationContext, OperationRules } from './operation.ts';

const R = xdr.ManageBuyOfferResult;

/**
 * ManageBuyOffer: like ManageSellOffer, but amount and price refer to the asset bought
 * (CAP-6; stellar-core `ManageBuyOfferOpFrame.cpp`).
 */
export const manageBuyOffer: OperationRules<'manageBuyOffer'> = {
  type: 'manageBuyOffer',
  threshold: () => 'medium',
  checkValid: ({ manageBuyOfferOp }) =>
    isOfferRequestValid(requestOf(manageBuyOfferOp))
      ? undefined
      : result(R.manageBuyOfferMalformed()),
  apply,
};

function apply(ctx: OperationContext<'manageBuyOffer'>): xdr.OperationResult {
  const request = requestOf(ctx.body.manageBuyOfferOp);
  const outcome = manageOffer(ctx.ltx, ctx.source, request, ctx.frozenKeys);
  if (!outcome.ok) return failed(outcome.failure);
  ctx.events.claims(ctx.muxedSource, outcome.result.offersClaimed);
  return result(R.manageBuyOfferSuccess(outcome.result));
}

function requestOf(op: xdr.ManageBuyOfferOp): OfferRequest {
  const { selling, buying, buyAmount, offerId } = op;
  const price = inversePrice(op.price);
  return { selling, buying, amount: buyAmount, price, offerId, passive: false, bound: 'buying' };
}

function failed(failure: OfferFailure): xdr.OperationResult {
  switch (failure) {
    case 'sellNoTrust':
      return result(R.manageBuyOfferSellNoTrust());
    case 'sellNotAuthorized':
      return result(R.manageBuyOfferSellNotAuthorized());
    case 'buyNoTrust':
      return result(R.manageBuyOfferBuyNoTrust());
    case 'buyNotAuthorized':
      return result(R.manageBuyOfferBuyNotAuthorized());
    case 'underfunded':
      return result(R.manageBuyOfferUnderfunded());
    case 'lineFull':
      return result(R.manageBuyOfferLineFull());
    case 'crossSelf':
      return result(R.manageBuyOfferCrossSelf());
    case 'notFound':
      return result(R.manageBuyOfferNotFound());
    case 'exceededWorkLimit':
      return xdr.OperationResult.opExceededWorkLimit();
    default:
      return sponsorshipFailureResult(failure, result(R.manageBuyOfferLowReserve()));
  }
}

function result(inner: xdr.ManageBuyOfferResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.manageBuyOffer(inner));
}
