import { xdr } from '@stellar/stellar-sdk';
import { manageOffer, type OfferFailure, type OfferRequest } from '../exchange/index.ts';
import { sponsorshipFailureResult } from '../sponsorship/index.ts';
import type { OperationContext } from './operation.ts';

const R = xdr.ManageSellOfferResult;

/** Applies a request for a sell offer and writes its result and events. */
export function applySellOffer(
  { ltx, source, muxedSource, frozenKeys, events }: Omit<OperationContext, 'body'>,
  request: OfferRequest,
): xdr.OperationResult {
  const outcome = manageOffer(ltx, source, request, frozenKeys);
  if (!outcome.ok) return failed(outcome.failure);
  events.claims(muxedSource, outcome.result.offersClaimed);
  return result(R.manageSellOfferSuccess(outcome.result));
}

export function malformedSellOffer(): xdr.OperationResult {
  return result(R.manageSellOfferMalformed());
}

function failed(failure: OfferFailure): xdr.OperationResult {
  switch (failure) {
    case 'sellNoTrust':
      return result(R.manageSellOfferSellNoTrust());
    case 'sellNotAuthorized':
      return result(R.manageSellOfferSellNotAuthorized());
    case 'buyNoTrust':
      return result(R.manageSellOfferBuyNoTrust());
    case 'buyNotAuthorized':
      return result(R.manageSellOfferBuyNotAuthorized());
    case 'underfunded':
      return result(R.manageSellOfferUnderfunded());
    case 'lineFull':
      return result(R.manageSellOfferLineFull());
    case 'crossSelf':
      return result(R.manageSellOfferCrossSelf());
    case 'notFound':
      return result(R.manageSellOfferNotFound());
    case 'exceededWorkLimit':
      return xdr.OperationResult.opExceededWorkLimit();
    default:
      return sponsorshipFailureResult(failure, result(R.manageSellOfferLowReserve()));
  }
}

function result(inner: xdr.ManageSellOfferResult): xdr.OperationResult {
  return xdr.OperationResult.opInner(xdr.OperationResultTr.manageSellOffer(inner));
}
