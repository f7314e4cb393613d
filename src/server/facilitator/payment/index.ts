/** Payments, the interface of schemes that verify them, and their outcomes. */

export {
  answerUndeclared,
  type CatalogHealth,
  type FacilitatorCatalog,
  type OnSettled,
  type Settlement,
  type SettleOutcome,
  settledWithoutCatalog,
  type VerifyOutcome,
} from './outcomes.ts';
export { judgeEntry, judgePlain, type SignatureVerdict } from './payerSignature.ts';
export type { PaymentScheme, PaymentStep, PreparedPayment } from './paymentScheme.ts';
export {
  accepted,
  type Checked,
  type KnownFate,
  type Refusal,
  type Rejection,
  refusal,
  refusalOf,
  rejected,
} from './rejection.ts';
