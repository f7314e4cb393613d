import type { xdr } from '@stellar/stellar-sdk';
import { INT64_MAX, isAssetValid, sameAsset } from '../balances/index.ts';
import { min } from './division.ts';
import { offerLiabilities } from './offerArithmetic.ts';
import { comparePrices, inversePrice, isPriceValid } from './price.ts';

/** A request of one of the three operations that create, change or delete an offer. */
export interface OfferRequest {
  readonly selling: xdr.Asset;
  readonly buying: xdr.Asset;
  /** The offer to change or delete; zero for a new one. */
  readonly offerId: bigint;
  /** Units of `buying` per unit of `selling`. */
  readonly price: xdr.Price;
  /** Whether a new offer does not cross offers at the same price. */
  readonly passive: boolean;
  /** Whether `amount` is of the asset sold or of the asset bought. */
  readonly bound: 'selling' | 'buying';
  /** Zero deletes the offer. */
  readonly amount: bigint;
}

/** How much more can be sold and bought. */
export interface TradeLimits {
  readonly maxSend: bigint;
  readonly maxReceive: bigint;
}

/** True if the request is valid (stellar-core `doCheckValid`). */
export function isOfferRequestValid(request: OfferRequest): boolean {
  const { selling, buying, price, amount, offerId } = request;
  if (!isAssetValid(selling) || !isAssetValid(buying) || sameAsset(selling, buying)) return false;
  if (amount < 0n || !isPriceValid(price)) return false;
  return offerId > 0n || (offerId === 0n && !isDeletion(request));
}

export function isDeletion(request: OfferRequest): boolean {
  return request.amount === 0n;
}

/** The amounts that the complete request would buy and sell at its own price. */
export function requestLiabilities(request: OfferRequest): {
  readonly buying: bigint;
  readonly selling: bigint;
} {
  return request.bound === 'selling'
    ? offerLiabilities(request.price, request.amount)
    : offerLiabilities(request.price, INT64_MAX, request.amount);
}

/** Limits reduced to the rest of the request after part of it was traded. */
export function boundedBy(
  request: OfferRequest,
  limits: TradeLimits,
  traded: { readonly sent: bigint; readonly received: bigint },
): TradeLimits {
  const { maxSend, maxReceive } = limits;
  return request.bound === 'selling'
    ? { maxSend: min(request.amount - traded.sent, maxSend), maxReceive }
    : { maxSend, maxReceive: min(request.amount - traded.received, maxReceive) };
}

/** True if a standing offer costs more than a request at this price pays. */
export function isTooDear(standing: xdr.OfferEntry, price: xdr.Price, passive: boolean): boolean {
  const order = comparePrices(standing.price, inversePrice(price));
  return order > 0 || (passive && order === 0);
}
