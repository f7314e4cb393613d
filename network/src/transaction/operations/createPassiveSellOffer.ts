import type { xdr } from '@stellar/stellar-sdk';
import { isOfferRequestValid, type OfferRequest } from '../exchange/index.ts';
import type { OperationRules } from './operation.ts';
import { applySellOffer, malformedSellOffer } from './sellOfferOutcome.ts';

/**
 * CreatePassiveSellOffer: a new sell offer that does not cross offers at its own price. Its result is written as that of
 * ManageSellOffer, as in the reference implementation (stellar-core `CreatePassiveSellOfferOpFrame.cpp`).
 */
export const createPassiveSellOffer: OperationRules<'createPassiveSellOffer'> = {
  type: 'createPassiveSellOffer',
  threshold: () => 'medium',
  checkValid: ({ createPassiveSellOfferOp }) =>
    isOfferRequestValid(requestOf(createPassiveSellOfferOp)) ? undefined : malformedSellOffer(),
  apply: (ctx) => applySellOffer(ctx, requestOf(ctx.body.createPassiveSellOfferOp)),
};

function requestOf(op: xdr.CreatePassiveSellOfferOp): OfferRequest {
  const { selling, buying, amount, price } = op;
  return { selling, buying, amount, price, offerId: 0n, passive: true, bound: 'selling' };
}
