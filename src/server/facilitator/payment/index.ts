/** Payments, the interface of schemes that verify them, and their outcomes. */

export type { SettleOutcome, VerifyOutcome } from './outcomes.ts';
export {
  accepted,
  answerUndeclared,
  type CatalogHealth,
  type Checked,
  type FacilitatorCatalog,
  type KnownFate,
  type OnSettled,
  type Refusal,
  type Rejection,
  refusal,
  refusalOf,
  rejected,
  type Settlement,
  settledWithoutCatalog,
} from './outcomes.ts';
export { judgeEntry, judgePlain, type SignatureVerdict } from './payerSignature.ts';
export type { PaymentScheme, PaymentStep, PreparedPayment } from './paymentScheme.ts';
