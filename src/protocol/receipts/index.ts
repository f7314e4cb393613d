/**
 * Signed offers and receipts (the extension `offer-receipt`): JWS with Ed25519. Pure: keys, signatures, documents and time come in as
 * arguments, and nothing is fetched. Holds the wire form of the published packages.
 */
export {
  OFFER_RECEIPT,
  type OfferPayload,
  type ReceiptPayload,
  type SignedArtifact,
} from './artifacts.ts';
export {
  didOfKey,
  entriesName,
  KEY_ENTRIES,
  MAX_DOCUMENT,
  originNames,
  TOML_KEYS,
  tomlNames,
} from './authority.ts';
export { didDocumentOf, didKeyOf, didWebOf, jwkOf } from './did.ts';
export {
  collectReceipt,
  MAX_RECEIPT_FILE,
  type PaidRequest,
  type ReceiptFile,
  readReceiptFile,
} from './file.ts';
export type { ReceiptSigner, VerifyEd25519, VerifyingPorts } from './jws.ts';
export {
  CLOCK_SKEW_SECONDS,
  type OfferExpectation,
  type OfferedTerms,
  RECEIPT_PROBLEMS,
  type ReceiptExpectation,
  type ReceiptProblem,
  signOffer,
  signReceipt,
  type Verified,
  verifyOffer,
  verifyReceipt,
} from './verify.ts';
