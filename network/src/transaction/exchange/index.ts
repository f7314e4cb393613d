export { isTrustlineFrozen } from './frozenOffer.ts';
export { manageOffer, type OfferFailure, type OfferOutcome } from './manageOffer.ts';
export { offerLiabilities } from './offerArithmetic.ts';
export { removeOffer, type StandingOffer, standingOffer } from './offerEntry.ts';
export { isOfferRequestValid, type OfferRequest } from './offerRequest.ts';
export {
  arePathAssetsValid,
  convertReceiving,
  convertSending,
  hasDestination,
  type PathConversion,
  type PathFailure,
} from './pathPayment.ts';
export { isPoolSwitchedOff, poolIdOfAssets } from './pool.ts';
export { firstDeposit, isBadPrice, laterDeposit, poolShareWorth } from './poolArithmetic.ts';
export { comparePrices, inversePrice, isPriceValid } from './price.ts';
export { settleOffersAfterRaisedReserve } from './raisedReserve.ts';
