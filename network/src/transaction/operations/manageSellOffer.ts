import type { xdr } from '@stellar/stellar-sdk';
import { isOfferRequestValid, type OfferRequest } from '../exchange/index.ts';
import type { OperationRules } from './operation.ts';
import { applySellOffer, malformedSellOffer } from './sellOfferOutcome.ts';

/** ManageSellOffer (stellar-core `ManageSellOfferOpFrame.cpp`). */
export const manageSellOffer: OperationRules<'manageSellOffer'> = {
  type: 'manageSellOffer',
  threshold: () => 'medium',
  checkValid: ({ manageSellOfferOp }) =>
    isOfferRequestValid(requestOf(manageSellOfferOp)) ? undefined : malformedSellOffer(),
  apply: (ctx) => applySellOffer(ctx, requestOf(ctx.body.manageSellOfferOp)),
};

function requestOf(op: xdr.ManageSellOfferOp): OfferRequest {
  const { selling, buying, amount, price, offerId } = op;
  return { selling, buying, amount, price, offerId, passive: false, bound: 'selling' };
}
