/** Building blocks of a seller's schemes for `@x402/core`. */

export { type SaleDeclaration, type SaleExtension, saleExtension } from './declaredSale.ts';
export {
  declarePaymentIdentifier,
  type PaymentIdentifierDeclaration,
  readPaymentIdentifier,
} from './paymentIdentifier.ts';
export {
  type RecognizeSalesOptions,
  recognizeSales,
  type SaleRecognizer,
} from './recognizeSales.ts';
export {
  fileSales,
  memorySales,
  type SaleStore,
  type SaleStoreOptions,
  type StoredResponse,
  type StoredSale,
} from './saleStore.ts';
export type {
  AssetAmount,
  Network,
  Price,
  Requirements,
  SupportedKind,
} from './schemeTypes.ts';
export { addFeeCeiling, withFeeCeiling } from './withFeeCeiling.ts';
