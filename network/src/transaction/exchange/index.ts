export { isPoolSwitchedOff, poolIdOfAssets } from './convert.ts';
export { isTrustlineFrozen } from './frozenOffer.ts';
export {
  isOfferRequestValid,
  manageOffer,
  type OfferFailure,
  type OfferOutcome,
  type OfferRequest,
} from './manageOffer.ts';
export { comparePrices, inversePrice, isPriceValid, offerLiabilities } from './offerArithmetic.ts';
export { removeOffer, type StandingOffer, standingOffer } from './offerEntry.ts';
export {
  arePathAssetsValid,
  convertReceiving,
  convertSending,
  hasDestination,
  type PathConversion,
  type PathFailure,
} from './pathPayment.ts';
export { firstDeposit, isBadPrice, laterDeposit, poolShareWorth } from './poolArithmetic.ts';
export { settleOffersAfterRaisedReserve } from './raisedReserve.ts';
