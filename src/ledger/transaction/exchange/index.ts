export type { Conversion, ConversionEnd, ConversionRequest, OfferVerdict } from './conversion.ts';
export { convert, MAX_OFFERS_TO_CROSS } from './convert.ts';
export { isTrustlineFrozen, touchesFrozenKey } from './frozenOffer.ts';
export { manageOffer, type OfferFailure, type OfferOutcome } from './manageOffer.ts';
export {
  acquireLiabilities,
  releaseLiabilities,
  removeOffer,
  type StandingOffer,
  standingOffer,
} from './offerEntry.ts';
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
export {
  firstDeposit,
  isBadPrice,
  laterDeposit,
  POOL_FEE_BPS,
  poolAsksFor,
  poolPaysFor,
  poolShareWorth,
} from './poolArithmetic.ts';
export { comparePrices, inversePrice, isPriceValid } from './price.ts';
