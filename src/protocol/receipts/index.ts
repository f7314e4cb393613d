/**
 * Signed offers and receipts (`offer-receipt`): what a seller commits to before a payment, and confirms after it. Pure: keys, time
 * and documents come in as arguments.
 */
export { didKeyOf, keyOfDidKey } from './didKey.ts';
export {
  type Authority,
  didDocument,
  didWebOf,
  type ExpectedOffer,
  type ExpectedReceipt,
  judgeOffer,
  judgeReceipt,
  type KeyRing,
  originOfDidWeb,
  type Refusal,
  type Refused,
  type Verified,
} from './judge.ts';
export type { Sign, SigningKey, Verify } from './jws.ts';
export {
  OFFER_RECEIPT,
  type OfferTerms,
  offersIn,
  type ReceiptTerms,
  receiptIn,
  type SignedText,
  signOffer,
  signReceipt,
} from './offerReceipt.ts';
