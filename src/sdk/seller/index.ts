/** Building blocks of a seller's schemes for `@x402/core`. */

export {
  declarePaymentIdentifier,
  type PaymentIdentifierDeclaration,
  readPaymentIdentifier,
} from './paymentIdentifier.ts';
export type {
  AssetAmount,
  Network,
  Price,
  Requirements,
  SupportedKind,
} from './schemeTypes.ts';
export { addFeeCeiling, withFeeCeiling } from './withFeeCeiling.ts';
